import { refuse } from '#contract/refusals.ts'
import { levelNames } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { levelOf } from '#contract/level-field.ts'
import { lockUser } from '../user-account.actions.ts'
import { describeEntitlement } from '../users.reply.ts'
import { addSubscription } from '../user-subscriptions.actions.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { userSubscriptionsRefusals } from '../users.refusals.ts'
import { grantDays } from '../users.rules.ts'

export const addUserSubscription = endpoint(userSubscriptionsContract.addUserSubscription, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const level = levelOf(body) ?? refuse(userSubscriptionsRefusals, 'SUBSCRIPTION_REQUIRED')
    const days = body.duration ?? grantDays.standard
    const user = await lockUser(tx, app.id, params.username)
    const held = await addSubscription(tx, user, { level, days, now })
    await recordAudit(tx, context, { act: 'user.add-subscription', target: user.username, details: { level, days } })
    const names = await levelNames(tx.db, app.id)
    return { message: 'Subscription added successfully', subscription: describeEntitlement(user, held, names, now) }
  },
})
