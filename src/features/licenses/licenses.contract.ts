import { Type } from 'typebox'
import { bulkFields, bulkReply, maxBulkNames, maxNamesKiB, undoBody, UndoIdReply, undoReply } from '#contract/bulk.ts'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import {
  appFields,
  batchFields,
  beforeField,
  EpochSeconds,
  Next,
  pageQuery,
  reply,
  strict,
  Text,
  countedFields,
  countQuery,
} from '#contract/fields.ts'
import { DurationField, ExpiryUnitField } from '#contract/duration-field.ts'
import { Level, LevelField } from '#contract/level-field.ts'
import { Username } from '#features/users/users.contract.ts'
import { namedUserErrors } from '#features/users/users.errors.ts'
import { LevelListField, listField } from '#contract/list-field.ts'
import { sortField } from '#contract/sort-field.ts'
import { licensesErrors } from './licenses.errors.ts'
import { licenseExportColumns } from './licenses.rules.ts'

/** License keys of an app. */

/** Duration in seconds that redeeming a license grants, up to 1000 years; 0 is a lifetime license. */
const Expiry = Type.Integer({ minimum: 0, maximum: 31_536_000_000 })

const Key = Type.String({ minLength: 1, maxLength: 200 })
const Keys = Type.Array(Key, { maxItems: 1000 })
const statuses = ['unused', 'used', 'banned', 'expiring'] as const

/** The filter of a list, an export or a bulk action. */
export const licenseFilter = {
  search: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(listField(statuses)),
  level: Type.Optional(LevelListField),
  redeemed: Type.Optional(Type.Boolean({ description: 'Whether the license has been redeemed, banned or not' })),
}

/** The same for the seller API, whose generated clients know each value: one status and one level. */
export const singleLicenseFilter = {
  ...licenseFilter,
  status: Type.Optional(
    Type.Unsafe<(typeof statuses)[number]>(Type.Union(statuses.map((status) => Type.Literal(status)))),
  ),
  level: Type.Optional(Level),
}

const exportFields = {
  format: Type.Optional(
    Type.Union([Type.Literal('txt'), Type.Literal('csv'), Type.Literal('json')], { default: 'txt' }),
  ),
  columns: Type.Optional(listField(licenseExportColumns)),
}

export const LicenseReply = Type.Object({
  license: Type.String(),
  licenseKey: Type.String(),
  subscription: Type.Object({ level: Type.Integer(), name: Type.String() }),
  level: Type.Integer(),
  expiry: Type.Integer({
    description: 'Duration that redeeming the license grants, in seconds; 0 is a lifetime license',
  }),
  expiresAt: Type.Union([EpochSeconds, Type.Null()]),
  notes: Type.String(),
  generatedBy: Type.String(),
  generatedByReseller: Type.Boolean(),
  used: Type.Boolean(),
  usedBy: Type.String(),
  usedAt: Type.Union([EpochSeconds, Type.Null()]),
  banned: Type.Boolean(),
  creationDate: EpochSeconds,
})

const Counts = Type.Object({
  total: Type.Integer(),
  unused: Type.Integer(),
  used: Type.Integer(),
  banned: Type.Integer(),
  expiring: Type.Integer({ description: 'Redeemed licenses that expire within 7 days' }),
})

const deleteFlags = {
  deleteUsers: Type.Optional(Type.Boolean()),
  refundCredits: Type.Optional(Type.Boolean()),
}

const KeyField = Type.String({ minLength: 1, maxLength: 200, rejection: 'NO_LICENSES_SELECTED' })

const deleteMany = <const P extends string>(path: P, summary: string) =>
  defineCall({
    method: 'POST',
    path,
    access: 'account',
    app: true,
    summary,
    body: strict({ ...appFields, ...deleteFlags, ...batchFields }),
    reply: reply({ deleted: Type.Integer(), deletedUsers: Type.Integer(), next: Next }),
    successes: {
      LICENSES_DELETE_OK:
        '{count, plural, one {Deleted # license successfully} other {Deleted # licenses successfully}}',
    },
  })

export const licensesContract = {
  listLicenses: defineCall({
    method: 'GET',
    path: '/licenses',
    access: 'account',
    app: true,
    summary:
      'List licenses, one page at a time, newest first unless `sort` is `created`. `search` matches the key, the notes, the user and the creator.',
    query: strict({ ...appFields, ...pageQuery, ...licenseFilter, ...countQuery, sort: sortField(['created']) }),
    reply: reply({
      licenses: Type.Array(LicenseReply),
      ...countedFields,
      counts: Counts,
    }),
  }),
  readLicense: defineCall({
    method: 'GET',
    path: '/license/{license}',
    access: 'account',
    app: true,
    summary: 'Get one license by its exact key.',
    params: strict({ license: Key }),
    query: strict(appFields),
    reply: reply({ license: LicenseReply }),
    errors: licensesErrors,
  }),
  listUserLicenses: defineCall({
    method: 'GET',
    path: '/user/{username}/licenses',
    access: 'account',
    app: true,
    summary: 'List the licenses that a user has redeemed, one page at a time, the last one first.',
    params: strict({ username: Username }),
    query: strict({ ...appFields, page: pageQuery.page, limit: pageQuery.limit }),
    reply: reply({ licenses: Type.Array(LicenseReply), total: Type.Integer(), totalPages: Type.Integer() }),
    errors: namedUserErrors,
  }),
  createLicenses: defineCall({
    method: 'POST',
    path: '/create_licenses',
    access: 'account',
    app: true,
    idempotent: true,
    summary: 'Create up to 1000 licenses. Each `#` in the mask is replaced by a random character.',
    body: strict({
      ...appFields,
      amount: Type.Integer({ minimum: 1, maximum: 1000, rejection: 'AMOUNT_INVALID' }),
      mask: Type.Optional(Text(500)),
      lowercase: Type.Optional(Type.Boolean()),
      uppercase: Type.Optional(Type.Boolean()),
      subscription: Type.Optional(LevelField),
      notes: Type.Optional(Text(500)),
      expiryUnit: Type.Optional(ExpiryUnitField),
      duration: Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12, rejection: 'DURATION_REQUIRED' })),
    }),
    reply: reply({ licenses: Type.Array(Type.String()), keys: Type.Array(Type.String()) }),
    successes: {
      LICENSES_CREATE_OK:
        '{count, plural, one {Created # license successfully} other {Created # licenses successfully}}',
    },
    errors: licensesErrors,
  }),
  addTimeLicenses: defineCall({
    method: 'POST',
    path: '/add_time_licenses',
    access: 'account',
    app: true,
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    idempotent: true,
    summary:
      'Add time to licenses. If a license has been redeemed, its user is extended. Lifetime licenses are skipped.',
    body: strict({
      ...appFields,
      licenses: Keys,
      expiryUnit: ExpiryUnitField,
      duration: DurationField,
    }),
    reply: reply({ updated: Type.Integer(), skipped: Type.Integer() }),
    successes: {
      LICENSES_ADD_TIME_OK: '{count, plural, one {Time added to # license} other {Time added to # licenses}}',
    },
    errors: licensesErrors,
  }),
  exportLicenses: defineCall({
    method: 'GET',
    path: '/export_licenses',
    access: 'account',
    app: true,
    summary:
      'Export all matching licenses as text (`txt`, one key per line), `csv` or `json`. `columns` chooses what `csv` and `json` have of each license; the default is everything. With `download`, the response is the file itself.',
    query: strict({
      ...appFields,
      ...licenseFilter,
      ...exportFields,
      download: Type.Optional(Type.Boolean()),
    }),
    reply: reply({ content: Type.String(), format: Type.String(), filename: Type.String() }),
  }),
  exportSelectedLicenses: defineCall({
    method: 'POST',
    path: '/export_licenses',
    access: 'account',
    app: true,
    maxBodyKiB: maxNamesKiB,
    summary:
      'Export the given licenses, oldest first, in the formats and columns of `GET /export_licenses`. Keys that do not exist are left out.',
    body: strict({
      ...appFields,
      licenses: Type.Array(Key, { minItems: 1, maxItems: maxBulkNames }),
      ...exportFields,
    }),
    reply: reply({ content: Type.String(), format: Type.String(), filename: Type.String() }),
  }),
  deleteUnusedLicenses: deleteMany('/delete_unused_licenses', 'Delete all licenses that have not been redeemed.'),
  deleteUsedLicenses: deleteMany(
    '/delete_used_licenses',
    'Delete all redeemed licenses. With `deleteUsers`, also delete their users.',
  ),
  deleteAllLicenses: deleteMany(
    '/delete_all_licenses',
    'Delete all licenses. With `deleteUsers`, also delete their users.',
  ),
  deleteLicense: defineCall({
    method: 'POST',
    path: '/delete_license',
    access: 'account',
    app: true,
    summary:
      'Delete a license. The credits of an unused reseller license are refunded unless `refundCredits` is false. POST /bin/restore restores the license within 30 days.',
    body: strict({ ...appFields, licenseKey: KeyField, ...deleteFlags }),
    reply: reply({ undoId: UndoIdReply }),
    successes: { LICENSE_DELETE_OK: 'License deleted successfully' },
    errors: licensesErrors,
  }),
  updateLicense: defineCall({
    method: 'POST',
    path: '/update_license',
    access: 'account',
    app: true,
    summary:
      'Update the subscription, notes or expiry (in seconds; 0 is a lifetime license) of a license. Omitted fields keep their value.',
    body: strict({
      ...appFields,
      licenseKey: KeyField,
      subscription: Type.Optional(LevelField),
      notes: Type.Optional(Text(500)),
      expiry: Type.Optional(Expiry),
      ...beforeField({ subscription: Level, notes: Text(500), expiry: Type.Integer({ minimum: 0 }) }),
    }),
    reply: reply({ license: LicenseReply }),
    successes: { LICENSE_UPDATE_OK: 'License updated successfully' },
    errors: licensesErrors,
  }),
  toggleBanLicense: defineCall({
    method: 'POST',
    path: '/toggle_ban_license',
    access: 'account',
    app: true,
    summary:
      'Ban or unban a license. `banned` sets the state; without it, the state is toggled. A ban ends the live sessions of the license immediately.',
    body: strict({ ...appFields, licenseKey: KeyField, banned: Type.Optional(Type.Boolean()) }),
    reply: reply({ banned: Type.Boolean() }),
    successes: {
      LICENSE_BAN_OK: 'License banned successfully',
      LICENSE_UNBAN_OK: 'License unbanned successfully',
    },
    errors: licensesErrors,
  }),
  bulkLicenses: defineCall({
    method: 'POST',
    path: '/licenses/bulk',
    access: 'account',
    app: true,
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    idempotent: true,
    summary:
      'Ban, unban, delete or add time to many licenses: those in `licenses`, or all that match `filter` if their number still equals `expectedCount`. With an Idempotency-Key, a filter is processed in batches of up to 1000 rows; continue with `next`.',
    body: strict({
      ...bulkFields,
      ...deleteFlags,
      action: Type.Union(
        (['ban', 'unban', 'delete', 'add-time'] as const).map((action) => Type.Literal(action)),
      ) as unknown as Type.TUnsafe<'ban' | 'unban' | 'delete' | 'add-time'>,
      licenses: Type.Optional(Keys),
      filter: Type.Optional(strict(licenseFilter)),
      expiryUnit: Type.Optional(ExpiryUnitField),
      duration: Type.Optional(DurationField),
    }),
    reply: bulkReply({ lifetime: Type.Optional(Type.Integer()) }),
    errors: licensesErrors,
    successes: { LICENSES_BULK_OK: '{done} done, {failed} failed' },
  }),
  undoLicenses: defineCall({
    method: 'POST',
    path: '/licenses/undo',
    access: 'account',
    app: true,
    idempotent: true,
    summary:
      'Undo a bulk ban, unban or added time. Each license gets its exact previous state back, unless it has changed since. With an Idempotency-Key, up to 1000 rows are processed per call; continue with `next`.',
    body: undoBody,
    reply: undoReply,
    errors: licensesErrors,
    successes: { LICENSES_UNDO_OK: '{restored} restored, {failed} changed since' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof licensesContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof licensesContract> {}
}
