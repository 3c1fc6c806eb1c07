import { changeEntitlement } from '#features/entitlements/entitlements.actions.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { lockUser } from '../users.actions.ts'
import { describeEntitlement } from '../users.reply.ts'

export const updateUserSubscription = endpoint(userSubscriptionsContract.updateUserSubscription, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const user = await lockUser(tx, app.id, params.username)
    const change = { days: body.duration, expiry: body.expiry, active: body.active }
    const held = await changeEntitlement(tx, user, { level: params.id, change, now })
    const details = { level: params.id, ...change }
    await recordAudit(tx, context, { act: 'user.update-subscription', target: user.username, details })
    const names = await levelNames(tx.db, app.id)
    return { message: 'Subscription updated successfully', subscription: describeEntitlement(user, held, names, now) }
  },
})
