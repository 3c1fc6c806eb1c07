import { endpoint } from '#server/http/endpoint.ts'
import { actOnNamedUsers, flagAction, namesRejected } from '../bulk-users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

export const bulkResetHwid = endpoint(usersBulkContract.bulkResetHwid, {
  write: async (tx, context) => {
    const { usernames } = context.body
    const { done: count, results } = await actOnNamedUsers(tx, context, usernames, flagAction(context, 'reset-hwid'))
    return {
      code: 'USERS_HWID_RESET_OK',
      values: { count },
      reset: count,
      notFound: namesRejected(results, 'USER_NOT_FOUND'),
    }
  },
})
