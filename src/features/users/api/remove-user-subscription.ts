import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { lockUser } from '../user-account.actions.ts'
import { removeSubscription } from '../user-subscriptions.actions.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'

export const removeUserSubscription = endpoint(userSubscriptionsContract.removeUserSubscription, {
  write: async (tx, context) => {
    const { app, params } = context
    const user = await lockUser(tx, app.id, params.username)
    await removeSubscription(tx, user, params.id)
    const details = { level: params.id }
    await recordAudit(tx, context, { act: 'user.remove-subscription', target: user.username, details })
    return { message: 'Subscription removed successfully' }
  },
})
