import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { lockUsers, resetHwids } from '../users.actions.ts'
import { distinctNames, missingNames } from '../users.bulk.ts'

export const bulkResetHwid = endpoint(usersBulkContract.bulkResetHwid, {
  write: async (tx, context) => {
    const { app, body } = context
    const usernames = distinctNames(body.usernames)
    const users = await lockUsers(tx, app.id, usernames)
    await resetHwids(tx, app.id, users)
    await recordAudit(tx, context, { act: 'user.bulk-reset-hwid', target: `${users.length} users` })
    const reset = users.length
    return { message: `HWID of ${reset} users reset successfully`, reset, notFound: missingNames(usernames, users) }
  },
})
