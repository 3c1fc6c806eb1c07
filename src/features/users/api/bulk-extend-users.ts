import { levelOf } from '#contract/level-field.ts'
import { refuse } from '#contract/refusals.ts'
import { extendUsers, secondsOf } from '#features/entitlements/entitlements.actions.ts'
import { entitlementsRefusals } from '#features/entitlements/entitlements.refusals.ts'
import { getLevel } from '#features/levels/levels.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { lockUsers } from '../users.actions.ts'
import { distinctNames, missingNames, timeReport } from '../users.bulk.ts'

export const bulkExtendUsers = endpoint(usersBulkContract.bulkExtendUsers, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const usernames = distinctNames(body.usernames)
    const seconds = secondsOf(body)
    const level = levelOf(body) ?? refuse(entitlementsRefusals, 'SUBSCRIPTION_REQUIRED')
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
