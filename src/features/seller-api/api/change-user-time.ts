import { durationSeconds } from '#contract/duration.ts'
import { levelOf } from '#contract/level-field.ts'
import { refuse } from '#contract/refusals.ts'
import { extendUsers, grantEntitlement, subtractFromUsers } from '#features/entitlements/entitlements.actions.ts'
import { grantDays, type TimeOutcome, timeProblem, type TimeUnit } from '#features/entitlements/entitlements.rules.ts'
import { getLevel } from '#features/levels/levels.actions.ts'
import { lockUser } from '#features/users/users.actions.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerUsersContract, sellerUsersRefusals } from '../seller-users.contract.ts'

export const addUserSubscription = endpoint(sellerUsersContract.addUserSubscription, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const level = levelOf(body) ?? refuse(sellerUsersRefusals, 'SUBSCRIPTION_REQUIRED')
    const days = body.duration ?? grantDays.standard
    const user = await lockUser(tx, app.id, params.username)
    await grantEntitlement(tx, user, { level, days, now })
    await recordAudit(tx, context, { act: 'user.add-subscription', target: user.username, details: { level, days } })
    return { message: 'Subscription added successfully', user: await describeUser(tx.db, user, now) }
  },
})

export const extendUser = endpoint(sellerUsersContract.extendUser, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const seconds = secondsOf(body)
    const level = levelOf(body) ?? refuse(sellerUsersRefusals, 'SUBSCRIPTION_REQUIRED')
    await getLevel(tx.db, app.id, level)
    const user = await lockUser(tx, app.id, params.username)
    const withExpired = body.extendExpired === true
    const outcomes = await extendUsers(tx, { appId: app.id, users: [user], level, seconds, withExpired, now })
    requireChange(outcomes.get(user.id))
    const details = { level, seconds, withExpired }
    await recordAudit(tx, context, { act: 'user.extend', target: user.username, details })
    return { message: 'User extended successfully', user: await describeUser(tx.db, user, now) }
  },
})

export const subtractUser = endpoint(sellerUsersContract.subtractUser, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const seconds = secondsOf(body)
    const level = levelOf(body)
    const user = await lockUser(tx, app.id, params.username)
    const outcomes = await subtractFromUsers(tx, { appId: app.id, users: [user], level, seconds, now })
    requireChange(outcomes.get(user.id))
    await recordAudit(tx, context, { act: 'user.subtract', target: user.username, details: { level, seconds } })
    return { message: 'Time subtracted successfully', user: await describeUser(tx.db, user, now) }
  },
})

function secondsOf({ duration, unit }: { duration: number; unit: TimeUnit }): number {
  const problem = timeProblem(duration, unit)
  if (problem) refuse(sellerUsersRefusals, 'USER_INVALID', { values: { problem } })
  return durationSeconds(duration, unit)
}

/** One user was named, so what was left alone is a refusal and not a list of who was skipped. */
function requireChange(outcome: TimeOutcome | undefined): void {
  if (outcome === 'changed') return
  if (outcome === 'expired') refuse(sellerUsersRefusals, 'SUBSCRIPTION_EXPIRED')
  if (outcome === 'lifetime') refuse(sellerUsersRefusals, 'SUBSCRIPTION_NEVER_ENDS')
  refuse(sellerUsersRefusals, 'USER_SUBSCRIPTION_NOT_FOUND')
}
