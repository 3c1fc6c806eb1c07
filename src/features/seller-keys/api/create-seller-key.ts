import { endpoint } from '#server/http/endpoint.ts'
import { createSellerKey as createSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { shownKeyReply } from '../seller-keys.reply.ts'

export const createSellerKey = endpoint(sellerKeysContract.createSellerKey, {
  write: async (tx, context) => {
    const { keyName, permissions, whitelistedIPs } = context.body
    const created = await createSellerKeyAction(tx, context, { keyName, permissions, whitelistedIPs })
    return { code: 'SELLER_KEY_CREATE_OK', ...shownKeyReply(created, context.now) }
  },
})
