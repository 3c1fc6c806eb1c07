import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { lockUser } from '../users.actions.ts'
import { grantUndoably } from '../user-changes.actions.ts'
import { describeEntitlement } from '../users.reply.ts'

export const addUserSubscription = endpoint(userSubscriptionsContract.addUserSubscription, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const user = await lockUser(tx, app.id, params.username)
    const { entitlement, undoId } = await grantUndoably(tx, context, user, {
      level: body.level,
      days: body.duration ?? grantDays.standard,
    })
    const names = await levelNames(tx.db, app.id)
    return {
      code: 'USER_SUBSCRIPTION_ADD_OK',
      subscription: describeEntitlement(user, entitlement, names, now),
      undoId,
    }
  },
})
