import { countEntitledUsers } from '#features/entitlements/entitlements.reads.ts'
import { changeLevel as updateSubscriptionAction } from '#features/levels/levels.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { subscriptionReply } from '../subscriptions.reply.ts'

export const updateSubscription = endpoint(subscriptionsContract.updateSubscription, {
  prepare: ({ services: { db }, app, body }) => countEntitledUsers(db.reports, app.id, body.level),
  write: async (tx, context, userCount) => {
    const { level, name, active } = context.body
    const updated = await updateSubscriptionAction(tx, { appId: context.app.id, level, name, active })
    const details = { name: updated.name, active: updated.active === 1 }
    await recordAudit(tx, context, { act: 'subscription.update', target: String(level), details })
    return { message: 'Subscription updated successfully', subscription: subscriptionReply(updated, userCount) }
  },
})
