import { endpoint } from '#server/http/endpoint.ts'
import { actOnNamedUsers, timeAction, timeReply } from '../bulk-users.actions.ts'
import { usersBulkContract } from '../users-bulk.contract.ts'

export const bulkExtendUsers = endpoint(usersBulkContract.bulkExtendUsers, {
  write: async (tx, context) => {
    const { usernames, duration, unit, extendExpired: withExpired } = context.body
    const time = { action: 'extend', level: context.body.subscription, duration, unit, withExpired } as const
    const action = await timeAction(tx.db, context, time)
    const reply = timeReply(await actOnNamedUsers(tx, context, usernames, action))
    return { code: 'USERS_EXTEND_OK', values: { count: reply.updated }, ...reply }
  },
})
