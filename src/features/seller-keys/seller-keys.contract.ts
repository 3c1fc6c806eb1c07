import { Type } from 'typebox'
import { bulkErrors, maxNamesKiB, UndoIdReply, undoBody, undoReply } from '#contract/bulk.ts'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { appFields, beforeField, EpochSeconds, pageQuery, reply, strict, Text } from '#contract/fields.ts'
import { sellerKeysErrors } from './seller-keys.errors.ts'
import { maxOverlapHours } from './seller-keys.rules.ts'

/** Keys with which shops and bots call the seller API. */

/** The public form, the bare id or the whole key. */
const Reference = Type.String({ minLength: 1, maxLength: 200 })
const Status = Type.Union([Type.Literal('active'), Type.Literal('paused')])
const Permissions = Type.Array(Text(50), { maxItems: 50, description: 'Scopes; an empty list is full access' })
/** A list, or the text of a field with one entry per line. */
const IpList = Type.Union([Type.Array(Text(5000), { maxItems: 1000 }), Text(20_000)])

export const SellerKeyReply = Type.Object({
  keyName: Type.String(),
  sellerKey: Type.String({ description: 'The public form `lk_live_<id>…<last 4>`; the key itself is shown once' }),
  key: Type.String(),
  whitelistedIPs: Type.Array(Type.String(), { description: 'Empty lets any address call' }),
  status: Status,
  createdDate: EpochSeconds,
  lastUsed: Type.Union([EpochSeconds, Type.Null()]),
  lastUsedIp: Type.String(),
  permissions: Type.Array(Type.String()),
  fullAccess: Type.Boolean(),
  exposedAt: Type.Union([EpochSeconds, Type.Null()], {
    description: 'When the key was first seen in a URL, where logs keep it; rotate it',
  }),
  rotatedUntil: Type.Union([EpochSeconds, Type.Null()], {
    description: 'Until when the key before the last rotation works',
  }),
})

const shownOnce = {
  sellerKey: Type.String({ description: 'The whole key, this once' }),
  key: Type.String(),
  details: SellerKeyReply,
}

export const sellerKeysContract = {
  listSellerKeys: defineCall({
    method: 'GET',
    path: '/seller_keys',
    access: 'account',
    app: true,
    summary: 'A page of seller keys, newest first. `search` looks inside names, ids and last characters.',
    query: strict({ ...appFields, ...pageQuery }),
    reply: reply({
      sellerKeys: Type.Array(SellerKeyReply),
      keys: Type.Array(SellerKeyReply),
      totalPages: Type.Integer(),
      total: Type.Integer(),
    }),
  }),
  createSellerKey: defineCall({
    method: 'POST',
    path: '/create_seller_key',
    access: 'account',
    app: true,
    recent: true,
    idempotent: true,
    summary: 'Make a seller key and show it once. Without `permissions` in the list it has full access.',
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
  updateSellerKey: defineCall({
    method: 'POST',
    path: '/update_seller_key',
    access: 'account',
    app: true,
    summary: 'Change the name, the IP list or the permissions. Fields left out stay; the key itself never changes.',
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
  toggleSellerKeyStatus: defineCall({
    method: 'POST',
    path: '/toggle_seller_key_status',
    access: 'account',
    app: true,
    summary: 'Pause or activate a key: `status` is the new status. A paused key is refused from the next call on.',
    body: strict({ ...appFields, sellerKey: Reference, status: Status }),
    reply: reply({ status: Status }),
    successes: {
      SELLER_KEY_ACTIVATE_OK: 'Seller key activated successfully',
      SELLER_KEY_PAUSE_OK: 'Seller key paused successfully',
    },
    errors: sellerKeysErrors,
  }),
  deleteSellerKey: defineCall({
    method: 'POST',
    path: '/delete_seller_key',
    access: 'account',
    app: true,
    summary: 'Delete a key; it is refused from the next call on.',
    body: strict({ ...appFields, sellerKey: Reference }),
    reply: reply({}),
    successes: { SELLER_KEY_DELETE_OK: 'Seller key deleted successfully' },
    errors: sellerKeysErrors,
  }),
  rotateSellerKey: defineCall({
    method: 'POST',
    path: '/rotate_seller_key',
    access: 'account',
    app: true,
    recent: true,
    idempotent: true,
    summary: 'Give a key a new secret and show it once. The old one works for `overlapHours` more, 0 by default.',
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
  bulkSellerKeys: defineCall({
    method: 'POST',
    path: '/seller_keys/bulk',
    access: 'account',
    app: true,
    planFeature: 'bulk_operations',
    maxBodyKiB: maxNamesKiB,
    summary: 'Pause, activate or delete many: by key, or all that match `search` when `expectedCount` still holds.',
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
  undoSellerKeys: defineCall({
    method: 'POST',
    path: '/seller_keys/undo',
    access: 'account',
    app: true,
    summary: 'Pause or activate again what was so before an act on many, of keys that nobody changed since.',
    body: undoBody,
    reply: undoReply,
    successes: { SELLER_KEYS_UNDO_OK: '{restored} restored, {failed} changed since' },
    errors: bulkErrors,
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof sellerKeysContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof sellerKeysContract> {}
}
