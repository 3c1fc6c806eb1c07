import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { rotateSellerKey as rotateSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { shownKeyReply } from '../seller-keys.reply.ts'

const call = sellerKeysContract.rotateSellerKey

export const rotateSellerKey = endpoint(call, {
  write: async (tx, context) => {
    const { sellerKey, overlapHours = 0 } = context.body
    const rotated = await rotateSellerKeyAction(tx, context, { sellerKey, overlapHours })
    return { ...done(call, 'SELLER_KEY_ROTATE_OK'), ...shownKeyReply(rotated, context.now) }
  },
})
