import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { distinctNames, missingNames } from '../user-batches.ts'
import { heldUsers } from '../user-state.actions.ts'
import { deleteUsers } from '../users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

export const bulkDeleteUsers = endpoint(usersBulkContract.bulkDeleteUsers, {
  unit: async (unit, context) => {
    const { app, body } = context
    const usernames = distinctNames(body.usernames)
    const users = await heldUsers(unit, app.id, usernames)
    const deleted = await deleteUsers(
      unit,
      app.id,
      users.map(({ id }) => id),
    )
    await recordAudit(unit, context, { act: 'user.bulk-delete', target: `${deleted} users` })
    return { message: `Deleted ${deleted} users successfully`, deleted, notFound: missingNames(usernames, users) }
  },
})
