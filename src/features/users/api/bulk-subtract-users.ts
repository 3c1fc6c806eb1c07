import { endpoint } from '#server/http/endpoint.ts'
import { actOnNamedUsers, timeAction, timeReply } from '../bulk-users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

export const bulkSubtractUsers = endpoint(usersBulkContract.bulkSubtractUsers, {
  write: async (tx, context) => {
    const { usernames, duration, unit } = context.body
    const time = { action: 'subtract', level: context.body.subscription, duration, unit } as const
    const action = await timeAction(tx.db, context, time)
    const reply = timeReply(await actOnNamedUsers(tx, context, usernames, action))
    return { code: 'USERS_SUBTRACT_OK', values: { count: reply.updated }, ...reply }
  },
})
