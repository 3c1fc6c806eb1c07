import { createLevel as createSubscriptionAction } from '#features/levels/levels.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { subscriptionReply } from '../subscriptions.reply.ts'

export const createSubscription = endpoint(subscriptionsContract.createSubscription, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const created = await createSubscriptionAction(tx, {
      appId: app.id,
      level: body.level,
      name: body.name,
      active: body.active ?? true,
      now,
    })
    const { level, name } = created
    await recordAudit(tx, context, { act: 'subscription.create', target: String(level), details: { name } })
    return { message: 'Subscription created successfully', subscription: subscriptionReply(created, 0) }
  },
})
