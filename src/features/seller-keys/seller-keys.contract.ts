import { Type } from 'typebox'
import { bulkErrors, maxNamesKiB, UndoIdReply, undoBody, undoReply } from '#contract/bulk.ts'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { sortField } from '#contract/sort-field.ts'
import { appFields, beforeField, EpochSeconds, pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { sellerKeysErrors } from './seller-keys.errors.ts'
import { maxOverlapHours } from './seller-keys.rules.ts'

/** Management of seller API keys, which shops and bots use. */

/** The public form, the bare ID or the complete key. */
const Reference = Type.String({ minLength: 1, maxLength: 200 })
const Status = Type.Union([Type.Literal('active'), Type.Literal('paused')])
const Permissions = Type.Array(Text(50), { maxItems: 50, description: 'Scopes; an empty list grants full access' })
/** A list, or a string with one entry per line. */
const IpList = Type.Union([Type.Array(Text(5000), { maxItems: 1000 }), Text(20_000)])

export const SellerKeyReply = Type.Object({
  keyName: Type.String(),
  sellerKey: Type.String({ description: 'Public form `lk_live_<id>…<last 4>`; the key itself is shown only once' }),
  key: Type.String(),
  whitelistedIPs: Type.Array(Type.String(), { description: 'Empty allows calls from any IP address' }),
  status: Status,
  createdDate: EpochSeconds,
  lastUsed: Type.Union([EpochSeconds, Type.Null()]),
  lastUsedIp: Type.String(),
  permissions: Type.Array(Type.String()),
  fullAccess: Type.Boolean(),
  exposedAt: Type.Union([EpochSeconds, Type.Null()], {
    description: 'When the key was first seen in a URL; proxies and servers log URLs. If this is set, rotate the key',
  }),
  rotatedUntil: Type.Union([EpochSeconds, Type.Null()], {
    description: 'When the previous key stops working after a rotation',
  }),
})

const shownOnce = {
  sellerKey: Type.String({ description: 'The complete key, shown only once' }),
  key: Type.String(),
  details: SellerKeyReply,
}

export const sellerKeysContract = {
  listSellerKeys: appCall('GET /seller_keys', {
    summary: 'List seller keys, one page at a time, newest first. `search` matches names, IDs and last characters.',
    query: strict({ ...appFields, ...pageQuery, sort: sortField(['name', 'created', 'lastUsed', 'status']) }),
    reply: reply({
      sellerKeys: Type.Array(SellerKeyReply),
      keys: Type.Array(SellerKeyReply),
      totalPages: Type.Integer(),
      total: Type.Integer(),
      all: Type.Integer({ description: 'Number of seller keys of the app' }),
    }),
  }),
  createSellerKey: appCall('POST /create_seller_key', {
    recent: true,
    idempotent: true,
    summary: 'Create a seller key. The key is shown only once. An empty `permissions` list grants full access.',
    body: strict({
      ...appFields,
      keyName: Type.String({ maxLength: 500, rejection: 'KEY_NAME_REQUIRED' }),
      permissions: Permissions,
      whitelistedIPs: Type.Optional(IpList),
    }),
    reply: reply(shownOnce),
    successes: { SELLER_KEY_CREATE_OK: 'Seller key created successfully' },
    errors: sellerKeysErrors,
  }),
  updateSellerKey: appCall('POST /update_seller_key', {
    summary:
      'Update the name, the IP list or the permissions of a seller key. Omitted fields keep their value; the key itself does not change.',
    body: strict({
      ...appFields,
      sellerKey: Reference,
      keyName: Type.Optional(Text(500)),
      whitelistedIPs: Type.Optional(IpList),
      permissions: Type.Optional(Permissions),
      ...beforeField({
        keyName: Text(500),
        whitelistedIPs: Type.Array(Text(100), { maxItems: 1000 }),
        permissions: Permissions,
      }),
    }),
    reply: reply({ details: SellerKeyReply }),
    successes: { SELLER_KEY_UPDATE_OK: 'Seller key updated successfully' },
    errors: sellerKeysErrors,
  }),
  toggleSellerKeyStatus: appCall('POST /toggle_seller_key_status', {
    summary: 'Pause or activate a seller key; `status` is the new status. The next call with a paused key is rejected.',
    body: strict({ ...appFields, sellerKey: Reference, status: Status }),
    reply: reply({ status: Status }),
    successes: {
      SELLER_KEY_ACTIVATE_OK: 'Seller key activated successfully',
      SELLER_KEY_PAUSE_OK: 'Seller key paused successfully',
    },
    errors: sellerKeysErrors,
  }),
  deleteSellerKey: appCall('POST /delete_seller_key', {
    summary: 'Delete a seller key. The next call with it is rejected.',
    body: strict({ ...appFields, sellerKey: Reference }),
    reply: reply({}),
    successes: { SELLER_KEY_DELETE_OK: 'Seller key deleted successfully' },
    errors: sellerKeysErrors,
  }),
  rotateSellerKey: appCall('POST /rotate_seller_key', {
    recent: true,
    idempotent: true,
    summary:
      'Rotate a seller key. The new key is shown only once. The previous key keeps working for `overlapHours` hours (default: 0).',
    body: strict({
      ...appFields,
      sellerKey: Reference,
      overlapHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxOverlapHours,
          rejection: 'OVERLAP_RANGE',
        }),
      ),
    }),
    reply: reply(shownOnce),
    successes: { SELLER_KEY_ROTATE_OK: 'Seller key rotated successfully' },
    errors: sellerKeysErrors,
  }),
  bulkSellerKeys: appCall('POST /seller_keys/bulk', {
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    summary:
      'Pause, activate or delete many seller keys: the given ones, or all that match `search` if their number still equals `expectedCount`.',
    body: strict({
      ...appFields,
      action: Type.Union([Type.Literal('pause'), Type.Literal('activate'), Type.Literal('delete')]),
      sellerKeys: Type.Optional(Type.Array(Reference, { maxItems: 500 })),
      search: Type.Optional(Text(200)),
      expectedCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    }),
    reply: reply({
      done: Type.Integer(),
      failed: Type.Integer(),
      undoId: UndoIdReply,
      results: Type.Array(
        Type.Object({
          sellerKey: Type.String(),
          key: Type.String(),
          ok: Type.Boolean(),
          code: Type.Optional(Type.String()),
          message: Type.String(),
        }),
      ),
    }),
    successes: { SELLER_KEYS_BULK_OK: '{done} done, {failed} failed' },
    errors: sellerKeysErrors,
  }),
  undoSellerKeys: appCall('POST /seller_keys/undo', {
    summary: 'Undo a bulk pause or activation. Each key gets its previous status back, unless it has changed since.',
    body: undoBody,
    reply: undoReply,
    successes: { SELLER_KEYS_UNDO_OK: '{restored} restored, {failed} changed since' },
    errors: bulkErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof sellerKeysContract> {}
  interface Codes extends CodesOf<typeof sellerKeysContract> {}
}
