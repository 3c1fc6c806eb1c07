import { Type } from 'typebox'
import { bulkFields, bulkReply, maxNamesKiB, newestId, NewestIdReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, batchFields, Next, reply, strict, oneOf } from '#contract/fields.ts'
import { DurationField, UnitField } from '#contract/duration-field.ts'
import { LevelField } from '#contract/level-field.ts'
import { userFilter, Username } from './users.contract.ts'
import { usersBulkErrors } from './users.errors.ts'

/** Bulk actions on users. */

const Usernames = Type.Array(Username, { maxItems: 1000, rejection: 'NO_USERS_SELECTED' })

const BulkAction = oneOf(['ban', 'unban', 'pause', 'unpause', 'reset-hwid', 'delete', 'extend', 'subtract'])

/** A duration to add or subtract. */
export const timeFields = {
  duration: DurationField,
  unit: UnitField,
}

const Names = Type.Array(Type.String())

/** Users that were skipped, with the reason. */
const skippedFields = {
  updated: Type.Integer(),
  usersWithoutSubscription: Names,
  usersWithoutSubscriptionCount: Type.Integer(),
  expiredUsers: Names,
  lifetimeUsers: Names,
  notFound: Names,
}

/** An action on all users of a kind; `expectedCount` is the number the caller saw. */
const actOnAll = <const P extends string, const F extends string, const S extends Record<string, string>>(
  name: `POST ${P}`,
  counted: F,
  summary: string,
  successes: S,
) =>
  appCall(name, {
    summary,
    body: strict({
      ...appFields,
      ...batchFields,
      dryRun: Type.Optional(Type.Boolean({ description: 'Count the users without changing anything' })),
      expectedCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12 })),
      newestId,
    }),
    reply: reply({
      [counted]: Type.Integer(),
      dryRun: Type.Boolean(),
      next: Next,
      newestId: NewestIdReply,
    } as Record<F, Type.TInteger> & {
      dryRun: Type.TBoolean
      next: typeof Next
      newestId: typeof NewestIdReply
    }),
    successes,
    errors: usersBulkErrors,
  })

export const usersBulkContract = {
  bulkResetHwid: appCall('POST /bulk_reset_hwid', {
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    summary: 'Unbind the machines of the given users.',
    body: strict({ ...appFields, usernames: Usernames }),
    reply: reply({ reset: Type.Integer(), notFound: Names }),
    successes: {
      USERS_HWID_RESET_OK:
        '{count, plural, one {HWID of # user reset successfully} other {HWID of # users reset successfully}}',
    },
    errors: usersBulkErrors,
  }),
  bulkDeleteUsers: appCall('POST /bulk_delete_users', {
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    summary: 'Delete the given users with all subscriptions and variables. Their sessions end.',
    body: strict({ ...appFields, usernames: Usernames }),
    reply: reply({ deleted: Type.Integer(), notFound: Names }),
    successes: {
      USERS_DELETE_OK: '{count, plural, one {Deleted # user successfully} other {Deleted # users successfully}}',
    },
    errors: usersBulkErrors,
  }),
  bulkExtendUsers: appCall('POST /bulk_extend_users', {
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    idempotent: true,
    summary:
      'Add time to a subscription of the given users. Expired subscriptions are extended only with `extendExpired`, starting now.',
    body: strict({
      ...appFields,
      subscription: Type.Optional(LevelField),
      usernames: Usernames,
      ...timeFields,
      extendExpired: Type.Optional(Type.Boolean()),
    }),
    reply: reply(skippedFields),
    successes: {
      USERS_EXTEND_OK: '{count, plural, one {Extended # user successfully} other {Extended # users successfully}}',
    },
    errors: usersBulkErrors,
  }),
  bulkSubtractUsers: appCall('POST /bulk_subtract_users', {
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    idempotent: true,
    summary:
      'Subtract time from one or all subscriptions of the given users. A subscription never ends earlier than now.',
    body: strict({ ...appFields, subscription: Type.Optional(LevelField), usernames: Usernames, ...timeFields }),
    reply: reply(skippedFields),
    successes: {
      USERS_SUBTRACT_OK:
        '{count, plural, one {Time subtracted from # user successfully} other {Time subtracted from # users successfully}}',
    },
    errors: usersBulkErrors,
  }),
  bulkUsers: appCall('POST /users/bulk', {
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    idempotent: true,
    summary:
      'Apply one action to many users: those in `usernames`, or all that match `filter` if their number still equals `expectedCount`. With an Idempotency-Key, a filter is processed in batches of up to 1000 rows; continue with `next`.',
    body: strict({
      ...bulkFields,
      subscription: Type.Optional(LevelField),
      action: BulkAction,
      usernames: Type.Optional(Usernames),
      filter: Type.Optional(strict(userFilter)),
      ...Type.Partial(Type.Object(timeFields)).properties,
      extendExpired: Type.Optional(Type.Boolean()),
    }),
    reply: bulkReply({
      withoutSubscription: Type.Optional(Type.Integer()),
      expired: Type.Optional(Type.Integer()),
      lifetime: Type.Optional(Type.Integer()),
    }),
    successes: {
      USERS_BULK_OK: '{done} done, {failed} failed',
      USERS_BULK_PREVIEW_OK: '{done} would be done, {failed} skipped',
    },
    errors: usersBulkErrors,
  }),
  deleteExpiredUsers: actOnAll('POST /delete_expired_users', 'deleted', 'Delete all users whose status is Expired.', {
    USERS_DELETE_OK: '{count, plural, one {Deleted # user successfully} other {Deleted # users successfully}}',
  }),
  resetAllHwid: actOnAll('POST /reset_all_hwid', 'reset', 'Unbind the machines of all users.', {
    USERS_HWID_RESET_OK:
      '{count, plural, one {HWID of # user reset successfully} other {HWID of # users reset successfully}}',
  }),
  unbanAllUsers: actOnAll('POST /unban_all_users', 'unbanned', 'Unban all banned users.', {
    USERS_UNBAN_OK: '{count, plural, one {Unbanned # user successfully} other {Unbanned # users successfully}}',
  }),
  deleteAllUsers: actOnAll(
    'POST /delete_all_users',
    'deleted',
    'Delete all users with their subscriptions and variables.',
    {
      USERS_DELETE_OK: '{count, plural, one {Deleted # user successfully} other {Deleted # users successfully}}',
    },
  ),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof usersBulkContract> {}
  interface Codes extends CodesOf<typeof usersBulkContract> {}
}
