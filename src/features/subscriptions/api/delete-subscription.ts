import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { deleteSubscription as deleteSubscriptionAction } from '../subscriptions.actions.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'

export const deleteSubscription = endpoint(subscriptionsContract.deleteSubscription, {
  writeInBatches: async (context) => {
    const { services, app, body, now } = context
    const { level, forceDelete: force = false } = body
    const { licenses, users } = await deleteSubscriptionAction(services.db, {
      appId: app.id,
      level,
      force,
      now,
      record: (tx, done) =>
        recordAudit(tx, context, { act: 'subscription.delete', target: String(level), details: { force, ...done } }),
    })
    return { message: 'Subscription deleted successfully', deletedLicenses: licenses, removedUsers: users }
  },
})
