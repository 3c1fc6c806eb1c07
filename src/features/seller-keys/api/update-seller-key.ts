import { endpoint } from '#server/http/endpoint.ts'
import { updateSellerKey as updateSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { sellerKeyReply } from '../seller-keys.reply.ts'

export const updateSellerKey = endpoint(sellerKeysContract.updateSellerKey, {
  write: async (tx, context) => {
    const { sellerKey, before, keyName, permissions, whitelistedIPs } = context.body
    const change = { keyName, permissions, whitelistedIPs }
    const updated = await updateSellerKeyAction(tx, context, { sellerKey, before, change })
    return { code: 'SELLER_KEY_UPDATE_OK', details: sellerKeyReply(updated, context.now) }
  },
})
