import { endpoint } from '#server/http/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { lockUser } from '../users.actions.ts'
import { removeSubscription } from '../user-changes.actions.ts'

export const removeUserSubscription = endpoint(userSubscriptionsContract.removeUserSubscription, {
  write: async (tx, context) => {
    const { app, params } = context
    const user = await lockUser(tx, app.id, params.username)
    const undoId = await removeSubscription(tx, context, user, params.id)
    return { code: 'USER_SUBSCRIPTION_REMOVE_OK', undoId }
  },
})
