import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteSellerKey as deleteSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

const call = sellerKeysContract.deleteSellerKey

export const deleteSellerKey = endpoint(call, {
  write: async (tx, context) => {
    await deleteSellerKeyAction(tx, context, context.body.sellerKey)
    return done(call, 'SELLER_KEY_DELETE_OK')
  },
})
