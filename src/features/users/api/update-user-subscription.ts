import { levelNames } from '#features/levels/levels.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { lockUser } from '../users.actions.ts'
import { changeEntitlementUndoably } from '../user-changes.actions.ts'
import { describeEntitlement } from '../users.reply.ts'

export const updateUserSubscription = endpoint(userSubscriptionsContract.updateUserSubscription, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const { duration: days, expiry, active, before } = body
    const user = await lockUser(tx, app.id, params.username)
    const change = { level: params.id, days, expiry, active, before }
    const { entitlement, undoId } = await changeEntitlementUndoably(tx, context, user, change)
    const names = await levelNames(tx.db, app.id)
    return {
      code: 'USER_SUBSCRIPTION_UPDATE_OK',
      subscription: describeEntitlement(user, entitlement, names, now),
      undoId,
    }
  },
})
