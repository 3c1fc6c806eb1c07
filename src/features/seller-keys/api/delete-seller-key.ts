import { endpoint } from '#server/http/endpoint.ts'
import { deleteSellerKey as deleteSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

export const deleteSellerKey = endpoint(sellerKeysContract.deleteSellerKey, {
  write: async (tx, context) => {
    await deleteSellerKeyAction(tx, context, context.body.sellerKey)
    return { code: 'SELLER_KEY_DELETE_OK' }
  },
})
