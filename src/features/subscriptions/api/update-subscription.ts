import { countEntitledUsers } from '#features/entitlements/entitlements.reads.ts'
import { changeLevel } from '#features/levels/levels.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { subscriptionReply } from '../subscriptions.reply.ts'

export const updateSubscription = endpoint(subscriptionsContract.updateSubscription, {
  prepare: ({ services: { db }, app, body }) => countEntitledUsers(db.reports, app.id, body.level),
  write: async (tx, context, userCount) => {
    const { level, name, active, before } = context.body
    const updated = await changeLevel(tx, context, { level, name, active, before })
    return { code: 'SUBSCRIPTION_UPDATE_OK', subscription: subscriptionReply(updated, userCount) }
  },
})
