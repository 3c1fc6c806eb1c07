import { removeEntitlement } from '#features/entitlements/entitlements.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { lockUser } from '../users.actions.ts'

export const removeUserSubscription = endpoint(userSubscriptionsContract.removeUserSubscription, {
  write: async (tx, context) => {
    const { app, params } = context
    const user = await lockUser(tx, app.id, params.username)
    await removeEntitlement(tx, user, params.id)
    const details = { level: params.id }
    await recordAudit(tx, context, { act: 'user.remove-subscription', target: user.username, details })
    return { message: 'Subscription removed successfully' }
  },
})
