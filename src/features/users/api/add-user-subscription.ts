import { levelOf } from '#contract/level-field.ts'
import { refuse } from '#contract/refusals.ts'
import { grantEntitlement } from '#features/entitlements/entitlements.actions.ts'
import { entitlementsRefusals } from '#features/entitlements/entitlements.refusals.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { lockUser } from '../users.actions.ts'
import { describeEntitlement } from '../users.reply.ts'

export const addUserSubscription = endpoint(userSubscriptionsContract.addUserSubscription, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const level = levelOf(body) ?? refuse(entitlementsRefusals, 'SUBSCRIPTION_REQUIRED')
    const days = body.duration ?? grantDays.standard
    const user = await lockUser(tx, app.id, params.username)
    const held = await grantEntitlement(tx, user, { level, days, now })
    await recordAudit(tx, context, { act: 'user.add-subscription', target: user.username, details: { level, days } })
    const names = await levelNames(tx.db, app.id)
    return { message: 'Subscription added successfully', subscription: describeEntitlement(user, held, names, now) }
  },
})
