import { refuse } from '#contract/refusals.ts'
import { getLevel } from '#features/subscriptions/subscriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { levelOf } from '#contract/level-field.ts'
import { secondsOf, timeReport } from '../selected-time.ts'
import { distinctNames, missingNames } from '../user-batches.ts'
import { lockUsers } from '../user-state.actions.ts'
import { extendUsers } from '../user-time.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { userSubscriptionsRefusals } from '../users.refusals.ts'

export const bulkExtendUsers = endpoint(usersBulkContract.bulkExtendUsers, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const usernames = distinctNames(body.usernames)
    const seconds = secondsOf(body)
    const level = levelOf(body) ?? refuse(userSubscriptionsRefusals, 'SUBSCRIPTION_REQUIRED')
    await getLevel(tx.db, app.id, level)
    const users = await lockUsers(tx, app.id, usernames)
    const withExpired = body.extendExpired === true
    const outcomes = await extendUsers(tx, { appId: app.id, users, level, seconds, withExpired, now })
    const report = timeReport(users, outcomes, missingNames(usernames, users))
    await recordAudit(tx, context, {
      act: 'user.bulk-extend',
      target: `${report.updated} users`,
      details: { level, seconds, withExpired },
    })
    return { message: `Extended ${report.updated} users successfully`, ...report }
  },
})
