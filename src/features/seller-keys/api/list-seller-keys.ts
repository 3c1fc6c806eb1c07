import { endpoint } from '#server/http/endpoint.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { countKeys, listKeys } from '../seller-keys.reads.ts'
import { sellerKeyReply } from '../seller-keys.reply.ts'

export const listSellerKeys = endpoint(sellerKeysContract.listSellerKeys, {
  read: async ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, search, sort } = query
    const choice = { appId: app.id, search }
    const total = await countKeys(db.reports, choice)
    const rows = await listKeys(db.reports, { ...choice, offset: (page - 1) * limit, limit, sort })
    const sellerKeys = rows.map((row) => sellerKeyReply(row, now))
    return { sellerKeys, keys: sellerKeys, total, totalPages: Math.max(1, Math.ceil(total / limit)) }
  },
})
