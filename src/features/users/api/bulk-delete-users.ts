import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'
import { deleteUsers, lockUsers } from '../users.actions.ts'
import { distinctNames, missingNames } from '../users.bulk.ts'

export const bulkDeleteUsers = endpoint(usersBulkContract.bulkDeleteUsers, {
  write: async (tx, context) => {
    const { app, body } = context
    const usernames = distinctNames(body.usernames)
    const users = await lockUsers(tx, app.id, usernames)
    const deleted = await deleteUsers(tx, app.id, users)
    await recordAudit(tx, context, { act: 'user.bulk-delete', target: `${deleted} users` })
    return { message: `Deleted ${deleted} users successfully`, deleted, notFound: missingNames(usernames, users) }
  },
})
