import { endpoint } from '#server/http/endpoint.ts'
import { deleteSubscription as deleteSubscriptionAction } from '../subscriptions.actions.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'

export const deleteSubscription = endpoint(subscriptionsContract.deleteSubscription, {
  writeInBatches: async (context) => {
    const { level, forceDelete: force = false } = context.body
    const deleted = await deleteSubscriptionAction(context.services.db, context, { level, force })
    const { licenses, users, undoId } = deleted
    return { code: 'SUBSCRIPTION_DELETE_OK', deletedLicenses: licenses, removedUsers: users, undoId }
  },
})
