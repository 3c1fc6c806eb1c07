import { Type } from 'typebox'
import { binKinds } from '#contract/bin.ts'
import { bulkErrors, maxBulkNames, undoBody, undoReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import {
  appFields,
  batchFields,
  countedFields,
  EpochSeconds,
  Next,
  pageQuery,
  reply,
  strict,
  oneOf,
} from '#contract/fields.ts'
import { sortField } from '#contract/sort-field.ts'
import { binErrors, restoreErrors } from './bin.errors.ts'

/** Deleted licenses, users, variables, files, webhooks, and subscriptions, and what was removed from users. */

const Kind = oneOf(binKinds)

const ItemId = Type.Integer({ minimum: 1, maximum: 1e15 })
const ItemIds = Type.Array(ItemId, { maxItems: maxBulkNames })

const ItemReply = Type.Object({
  id: Type.Integer(),
  kind: Kind,
  name: Type.String({
    description:
      'The license key, the username, the name of the variable or file, the name or host of the webhook, or the name of the subscription',
  }),
  subscriptions: Type.Array(
    Type.Object({
      level: Type.Integer(),
      name: Type.Union([Type.String(), Type.Null()], { description: 'Null for a level that was deleted' }),
    }),
    { description: 'Of the license or the user' },
  ),
  status: Type.Union(
    [
      Type.Literal('unused'),
      Type.Literal('used'),
      Type.Literal('banned'),
      Type.Literal('paused'),
      Type.Literal('disabled'),
      Type.Literal('stopped'),
      Type.Null(),
    ],
    { description: 'State before the deletion; null without a particular one' },
  ),
  users: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of users who lost the subscription' }),
  size: Type.Union([Type.Integer(), Type.Null()], { description: 'Of a file, in bytes' }),
  deletedAt: EpochSeconds,
  deletedBy: Type.Object({
    type: Type.String({ description: '`owner`, `admin`, `reseller`, `seller-key`, or `system`' }),
    name: Type.String({ description: 'At the time of the deletion' }),
  }),
  removedAt: Type.Integer({ description: 'When the item is deleted for good, in epoch seconds' }),
})

const Counts = Type.Array(Type.Object({ kind: Kind, count: Type.Integer() }), {
  description: 'Items of each kind, independent of the filter, counted up to 10,000',
})

const Values = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))

export const binContract = {
  listBin: appCall('GET /bin', {
    summary:
      'List what was deleted from an app in the last 30 days, one page at a time, newest first unless `sort` is `deleted`. `search` matches names, and the whole ID of a file or webhook.',
    query: strict({ ...appFields, ...pageQuery, kind: Type.Optional(Kind), sort: sortField(['deleted']) }),
    reply: reply({ items: Type.Array(ItemReply), ...countedFields, counts: Counts }),
  }),
  restoreBin: appCall('POST /bin/restore', {
    idempotent: true,
    summary:
      'Restore deleted items: those in `ids`, or everything that one action deleted, by its `undoId`. Items that cannot be restored stay in the bin; a single one is rejected with its error. With `undoId`, continue with `next`. After `ids` of subscriptions, continue with each of the `undoIds` for their users and licenses.',
    body: strict({
      ...appFields,
      ...batchFields,
      ids: Type.Optional(ItemIds),
      undoId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 40, description: 'The `undoId` of the reply to the deletion' }),
      ),
    }),
    reply: reply({
      restored: Type.Integer(),
      failed: Type.Integer(),
      next: Next,
      undoIds: Type.Array(Type.String(), {
        description: 'For each restored subscription of `ids` with users or licenses: what restores them, too',
      }),
      failures: Type.Array(
        Type.Object({
          name: Type.String(),
          kind: Kind,
          code: Type.String(),
          values: Type.Optional(Values),
          message: Type.String(),
        }),
        { description: 'At most 1000' },
      ),
    }),
    successes: {
      BIN_RESTORE_OK: '{restored, plural, one {Restored # item} other {Restored # items}}',
      BIN_RESTORE_PARTLY_OK: '{restored} restored, {failed} failed',
    },
    errors: restoreErrors,
  }),
  undoUsers: appCall('POST /users/undo', {
    idempotent: true,
    summary:
      'Undo a bulk action (except a deletion), a pause or a removed subscription. Each user gets the exact previous state back, unless the user has changed since. With an Idempotency-Key, up to 1000 rows are processed per call; continue with `next`.',
    body: undoBody,
    reply: undoReply,
    successes: { USERS_UNDO_OK: '{restored} restored, {failed} changed since' },
    errors: bulkErrors,
  }),
  deleteBin: appCall('POST /bin/delete', {
    summary:
      'Delete items for good, before their 30 days are over: those in `ids`, or with `all`, everything in the bin of the app.',
    body: strict({ ...appFields, ids: Type.Optional(ItemIds), all: Type.Optional(Type.Literal(true)) }),
    reply: reply({ deleted: Type.Integer() }),
    successes: {
      BIN_DELETE_OK: '{deleted, plural, one {Deleted # item for good} other {Deleted # items for good}}',
    },
    errors: binErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof binContract> {}
  interface Codes extends CodesOf<typeof binContract> {}
}
