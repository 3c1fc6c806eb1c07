import { refuse } from '#contract/refusals.ts'
import { existingLevel } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { levelOf } from '#contract/level-field.ts'
import { secondsOf, timeReport } from '../selected-time.ts'
import { distinctNames, missingNames } from '../user-batches.ts'
import { heldUsers } from '../user-state.actions.ts'
import { extendUsers } from '../user-time.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { userSubscriptionsRefusals } from '../users.refusals.ts'

export const bulkExtendUsers = endpoint(usersBulkContract.bulkExtendUsers, {
  unit: async (unit, context) => {
    const { app, body, now } = context
    const usernames = distinctNames(body.usernames)
    const seconds = secondsOf(body)
    const level = levelOf(body) ?? refuse(userSubscriptionsRefusals, 'SUBSCRIPTION_REQUIRED')
    await existingLevel(unit.trx, app.id, level)
    const users = await heldUsers(unit, app.id, usernames)
    const withExpired = body.extendExpired === true
    const outcomes = await extendUsers(unit, { appId: app.id, users, level, seconds, withExpired, now })
    const report = timeReport(users, outcomes, missingNames(usernames, users))
    await recordAudit(unit, context, {
      act: 'user.bulk-extend',
      target: `${report.updated} users`,
      details: { level, seconds, withExpired },
    })
    return { message: `Extended ${report.updated} users successfully`, ...report }
  },
})
