import { setLevelActive } from '#features/levels/levels.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'

export const toggleSubscriptionStatus = endpoint(subscriptionsContract.toggleSubscriptionStatus, {
  write: async (tx, context) => {
    const { level, active } = context.body
    const updated = await setLevelActive(tx, context, { level, active })
    const isActive = updated.active === 1
    return { code: isActive ? 'SUBSCRIPTION_ACTIVATE_OK' : 'SUBSCRIPTION_PAUSE_OK', active: isActive }
  },
})
