import { levelNames } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { heldUser } from '../user-account.actions.ts'
import { describeHeld } from '../user-descriptions.actions.ts'
import { changeSubscription } from '../user-subscriptions.actions.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'

export const updateUserSubscription = endpoint(userSubscriptionsContract.updateUserSubscription, {
  unit: async (unit, context) => {
    const { app, params, body, now } = context
    const user = await heldUser(unit, app.id, params.username)
    const change = { days: body.duration, expiry: body.expiry, active: body.active }
    const held = await changeSubscription(unit, user, { level: params.id, change, now })
    const details = { level: params.id, ...change }
    await recordAudit(unit, context, { act: 'user.update-subscription', target: user.username, details })
    const names = await levelNames(unit.trx, app.id)
    return { message: 'Subscription updated successfully', subscription: describeHeld(user, held, names, now) }
  },
})
