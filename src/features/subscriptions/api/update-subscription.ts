import { countUsersOfLevelIn } from '#features/users/level-holders.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { subscriptionReply } from '../subscription-reply.ts'
import { updateSubscription as updateSubscriptionAction } from '../subscriptions.actions.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'

export const updateSubscription = endpoint(subscriptionsContract.updateSubscription, {
  prepare: ({ services: { db }, app, body }) => countUsersOfLevelIn(db.reports, app.id, body.level),
  write: async (tx, context, userCount) => {
    const { level, name, active } = context.body
    const updated = await updateSubscriptionAction(tx, { appId: context.app.id, level, name, active })
    const details = { name: updated.name, active: updated.active === 1 }
    await recordAudit(tx, context, { act: 'subscription.update', target: String(level), details })
    return { message: 'Subscription updated successfully', subscription: subscriptionReply(updated, userCount) }
  },
})
