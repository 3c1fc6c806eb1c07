import { pageCount } from '#contract/fields.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import {
  createSellerKey,
  deleteSellerKey,
  rotateSellerKey,
  setSellerKeyActive,
  updateSellerKey,
} from '../seller-keys.actions.ts'
import { sellerKeysContract as contract } from '../seller-keys.contract.ts'
import { countKeys, listKeys } from '../seller-keys.reads.ts'
import { sellerKeyReply, shownKeyReply } from '../seller-keys.reply.ts'

export const sellerKeyCalls: readonly Endpoint[] = [
  endpoint(contract.listSellerKeys, {
    read: async ({ services: { db }, app, query, now }) => {
      const { page = 1, limit = 10, search, sort } = query
      const choice = { appId: app.id, search }
      const total = await countKeys(db.reports, choice)
      const all = await countKeys(db.reports, { appId: app.id })
      const rows = await listKeys(db.reports, { ...choice, offset: (page - 1) * limit, limit, sort })
      const sellerKeys = rows.map((row) => sellerKeyReply(row, now))
      return { sellerKeys, keys: sellerKeys, total, all, totalPages: pageCount(total, limit) }
    },
  }),
  endpoint(contract.createSellerKey, {
    write: async (tx, context) => {
      const { keyName, permissions, whitelistedIPs } = context.body
      const created = await createSellerKey(tx, context, { keyName, permissions, whitelistedIPs })
      return { code: 'SELLER_KEY_CREATE_OK', ...shownKeyReply(created, context.now) }
    },
  }),
  endpoint(contract.updateSellerKey, {
    write: async (tx, context) => {
      const { sellerKey, before, keyName, permissions, whitelistedIPs } = context.body
      const change = { keyName, permissions, whitelistedIPs }
      const updated = await updateSellerKey(tx, context, { sellerKey, before, change })
      return { code: 'SELLER_KEY_UPDATE_OK', details: sellerKeyReply(updated, context.now) }
    },
  }),
  endpoint(contract.rotateSellerKey, {
    write: async (tx, context) => {
      const { sellerKey, overlapHours = 0 } = context.body
      const rotated = await rotateSellerKey(tx, context, { sellerKey, overlapHours })
      return { code: 'SELLER_KEY_ROTATE_OK', ...shownKeyReply(rotated, context.now) }
    },
  }),
  endpoint(contract.toggleSellerKeyStatus, {
    write: async (tx, context) => {
      const { sellerKey, status } = context.body
      const active = status === 'active'
      await setSellerKeyActive(tx, context, { sellerKey, active })
      return { code: active ? 'SELLER_KEY_ACTIVATE_OK' : 'SELLER_KEY_PAUSE_OK', status }
    },
  }),
  endpoint(contract.deleteSellerKey, {
    write: async (tx, context) => {
      await deleteSellerKey(tx, context, context.body.sellerKey)
      return { code: 'SELLER_KEY_DELETE_OK' }
    },
  }),
]
