import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { distinctNames, missingNames } from '../user-batches.ts'
import { lockUsers } from '../user-state.actions.ts'
import { deleteUsers } from '../users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

export const bulkDeleteUsers = endpoint(usersBulkContract.bulkDeleteUsers, {
  write: async (tx, context) => {
    const { app, body } = context
    const usernames = distinctNames(body.usernames)
    const users = await lockUsers(tx, app.id, usernames)
    const deleted = await deleteUsers(
      tx,
      app.id,
      users.map(({ id }) => id),
    )
    await recordAudit(tx, context, { act: 'user.bulk-delete', target: `${deleted} users` })
    return { message: `Deleted ${deleted} users successfully`, deleted, notFound: missingNames(usernames, users) }
  },
})
