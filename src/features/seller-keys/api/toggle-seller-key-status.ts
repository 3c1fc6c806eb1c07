import { endpoint } from '#server/http/endpoint.ts'
import { setSellerKeyActive } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

export const toggleSellerKeyStatus = endpoint(sellerKeysContract.toggleSellerKeyStatus, {
  write: async (tx, context) => {
    const { sellerKey, status } = context.body
    const active = status === 'active'
    await setSellerKeyActive(tx, context, { sellerKey, active })
    return { code: active ? 'SELLER_KEY_ACTIVATE_OK' : 'SELLER_KEY_PAUSE_OK', status }
  },
})
