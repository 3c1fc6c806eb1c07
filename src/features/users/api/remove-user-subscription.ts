import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { heldUser } from '../user-account.actions.ts'
import { removeSubscription } from '../user-subscriptions.actions.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'

export const removeUserSubscription = endpoint(userSubscriptionsContract.removeUserSubscription, {
  unit: async (unit, context) => {
    const { app, params } = context
    const user = await heldUser(unit, app.id, params.username)
    await removeSubscription(unit, user, params.id)
    const details = { level: params.id }
    await recordAudit(unit, context, { act: 'user.remove-subscription', target: user.username, details })
    return { message: 'Subscription removed successfully' }
  },
})
