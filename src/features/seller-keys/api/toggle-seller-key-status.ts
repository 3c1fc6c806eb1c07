import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { setSellerKeyActive } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

const call = sellerKeysContract.toggleSellerKeyStatus

export const toggleSellerKeyStatus = endpoint(call, {
  write: async (tx, context) => {
    const { sellerKey, status } = context.body
    const active = status === 'active'
    await setSellerKeyActive(tx, context, { sellerKey, active })
    return { ...done(call, active ? 'SELLER_KEY_ACTIVATE_OK' : 'SELLER_KEY_PAUSE_OK'), status }
  },
})
