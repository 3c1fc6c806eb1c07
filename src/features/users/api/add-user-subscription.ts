import { refuse } from '#contract/refusals.ts'
import { levelNames } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { levelOf } from '#contract/level-field.ts'
import { heldUser } from '../user-account.actions.ts'
import { describeHeld } from '../user-descriptions.actions.ts'
import { addSubscription } from '../user-subscriptions.actions.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { userSubscriptionsRefusals } from '../users.refusals.ts'
import { grantDays } from '../users.rules.ts'

export const addUserSubscription = endpoint(userSubscriptionsContract.addUserSubscription, {
  unit: async (unit, context) => {
    const { app, params, body, now } = context
    const level = levelOf(body) ?? refuse(userSubscriptionsRefusals, 'SUBSCRIPTION_REQUIRED')
    const days = body.duration ?? grantDays.standard
    const user = await heldUser(unit, app.id, params.username)
    const held = await addSubscription(unit, user, { level, days, now })
    await recordAudit(unit, context, { act: 'user.add-subscription', target: user.username, details: { level, days } })
    const names = await levelNames(unit.trx, app.id)
    return { message: 'Subscription added successfully', subscription: describeHeld(user, held, names, now) }
  },
})
