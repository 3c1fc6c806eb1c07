import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { lockUser } from '../users.actions.ts'
import { removeSubscription } from '../user-changes.actions.ts'

const call = userSubscriptionsContract.removeUserSubscription

export const removeUserSubscription = endpoint(call, {
  write: async (tx, context) => {
    const { app, params } = context
    const user = await lockUser(tx, app.id, params.username)
    const undoId = await removeSubscription(tx, context, user, params.id)
    return { ...done(call, 'USER_SUBSCRIPTION_REMOVE_OK'), undoId }
  },
})
