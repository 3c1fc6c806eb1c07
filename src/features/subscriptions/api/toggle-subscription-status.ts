import { done } from '#contract/define-call.ts'
import { setLevelActive } from '#features/levels/levels.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'

const call = subscriptionsContract.toggleSubscriptionStatus

export const toggleSubscriptionStatus = endpoint(call, {
  write: async (tx, context) => {
    const { level, active } = context.body
    const updated = await setLevelActive(tx, context, { level, active })
    const isActive = updated.active === 1
    return { ...done(call, isActive ? 'SUBSCRIPTION_ACTIVATE_OK' : 'SUBSCRIPTION_PAUSE_OK'), active: isActive }
  },
})
