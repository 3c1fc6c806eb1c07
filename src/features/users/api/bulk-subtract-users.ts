import { levelOf } from '#contract/level-field.ts'
import { secondsOf, subtractFromUsers } from '#features/entitlements/entitlements.actions.ts'
import { getLevel } from '#features/levels/levels.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { lockUsers } from '../users.actions.ts'
import { distinctNames, missingNames, timeReport } from '../users.bulk.ts'

export const bulkSubtractUsers = endpoint(usersBulkContract.bulkSubtractUsers, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const usernames = distinctNames(body.usernames)
    const seconds = secondsOf(body)
    const level = levelOf(body)
    if (level !== undefined) await getLevel(tx.db, app.id, level)
    const users = await lockUsers(tx, app.id, usernames)
    const outcomes = await subtractFromUsers(tx, { appId: app.id, users, level, seconds, now })
    const report = timeReport(users, outcomes, missingNames(usernames, users))
    await recordAudit(tx, context, {
      act: 'user.bulk-subtract',
      target: `${report.updated} users`,
      details: { level, seconds },
    })
    return { message: `Time subtracted from ${report.updated} users successfully`, ...report }
  },
})
