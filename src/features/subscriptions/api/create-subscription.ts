import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { createSubscription as createSubscriptionAction } from '../subscriptions.actions.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'

export const createSubscription = endpoint(subscriptionsContract.createSubscription, {
  unit: async (unit, context) => {
    const { app, body, now } = context
    const { level, name, active } = await createSubscriptionAction(unit, {
      appId: app.id,
      level: body.level,
      name: body.name,
      active: body.active ?? true,
      now,
    })
    await recordAudit(unit, context, { act: 'subscription.create', target: String(level), details: { name } })
    return {
      message: 'Subscription created successfully',
      subscription: { level, name, active: active === 1, userCount: 0 },
    }
  },
})
