import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { actOnNamedUsers, flagAction, namesRejected } from '../bulk-users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

const call = usersBulkContract.bulkResetHwid

export const bulkResetHwid = endpoint(call, {
  write: async (tx, context) => {
    const { usernames } = context.body
    const { done: count, results } = await actOnNamedUsers(tx, context, usernames, flagAction(context, 'reset-hwid'))
    return {
      ...done(call, 'USERS_HWID_RESET_OK', { count }),
      reset: count,
      notFound: namesRejected(results, 'USER_NOT_FOUND'),
    }
  },
})
