import { endpoint } from '#server/http/endpoint.ts'
import { actOnNamedUsers, flagAction, namesRejected } from '../bulk-users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

export const bulkDeleteUsers = endpoint(usersBulkContract.bulkDeleteUsers, {
  write: async (tx, context) => {
    const { usernames } = context.body
    const { done: count, results } = await actOnNamedUsers(tx, context, usernames, flagAction(context, 'delete'))
    return {
      code: 'USERS_DELETE_OK',
      values: { count },
      deleted: count,
      notFound: namesRejected(results, 'USER_NOT_FOUND'),
    }
  },
})
