import { endpoint } from '#server/http/endpoint.ts'
import { rotateSellerKey as rotateSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { shownKeyReply } from '../seller-keys.reply.ts'

export const rotateSellerKey = endpoint(sellerKeysContract.rotateSellerKey, {
  write: async (tx, context) => {
    const { sellerKey, overlapHours = 0 } = context.body
    const rotated = await rotateSellerKeyAction(tx, context, { sellerKey, overlapHours })
    return { code: 'SELLER_KEY_ROTATE_OK', ...shownKeyReply(rotated, context.now) }
  },
})
