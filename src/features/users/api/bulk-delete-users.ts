import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { actOnNamedUsers, flagAction, namesRejected } from '../bulk-users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

const call = usersBulkContract.bulkDeleteUsers

export const bulkDeleteUsers = endpoint(call, {
  write: async (tx, context) => {
    const { usernames } = context.body
    const { done: count, results } = await actOnNamedUsers(tx, context, usernames, flagAction(context, 'delete'))
    return {
      ...done(call, 'USERS_DELETE_OK', { count }),
      deleted: count,
      notFound: namesRejected(results, 'USER_NOT_FOUND'),
    }
  },
})
