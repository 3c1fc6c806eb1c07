import { setLevelActive } from '#features/levels/levels.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'

export const toggleSubscriptionStatus = endpoint(subscriptionsContract.toggleSubscriptionStatus, {
  write: async (tx, context) => {
    const { level, active: wanted } = context.body
    const updated = await setLevelActive(tx, { appId: context.app.id, level, active: wanted })
    const active = updated.active === 1
    const act = active ? 'subscription.activate' : 'subscription.pause'
    await recordAudit(tx, context, { act, target: String(level), details: { name: updated.name } })
    return { message: active ? 'Subscription activated successfully' : 'Subscription paused successfully', active }
  },
})
