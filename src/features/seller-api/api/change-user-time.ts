import { done } from '#contract/define-call.ts'
import {
  extendUser as extendUserAction,
  grantEntitlement,
  secondsOf,
  subtractFromUser,
} from '#features/entitlements/entitlements.actions.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { lockUser } from '#features/users/users.actions.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

const contract = sellerUsersContract

export const addUserSubscription = endpoint(contract.addUserSubscription, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const user = await lockUser(tx, app.id, params.username)
    await grantEntitlement(tx, context, user, { level: body.level, days: body.duration ?? grantDays.standard })
    return {
      ...done(contract.addUserSubscription, 'USER_SUBSCRIPTION_ADD_OK'),
      user: await describeUser(tx.db, user, now),
    }
  },
})

export const extendUser = endpoint(contract.extendUser, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const seconds = secondsOf(body)
    const user = await lockUser(tx, app.id, params.username)
    await extendUserAction(tx, context, user, {
      level: body.subscription,
      seconds,
      withExpired: body.extendExpired === true,
    })
    return { ...done(contract.extendUser, 'USER_EXTEND_OK'), user: await describeUser(tx.db, user, now) }
  },
})

export const subtractUser = endpoint(contract.subtractUser, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const seconds = secondsOf(body)
    const user = await lockUser(tx, app.id, params.username)
    await subtractFromUser(tx, context, user, { level: body.subscription, seconds })
    return { ...done(contract.subtractUser, 'USER_SUBTRACT_OK'), user: await describeUser(tx.db, user, now) }
  },
})
