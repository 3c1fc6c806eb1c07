import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { actOnNamedUsers, flagAction, namesRejected, timeAction, timeReply } from '../bulk-users.actions.ts'
import { usersBulkContract as contract } from '../users-bulk.contract.ts'

export const namedUserCalls: readonly Endpoint[] = [
  endpoint(contract.bulkExtendUsers, {
    write: async (tx, context) => {
      const { usernames, duration, unit, extendExpired: withExpired } = context.body
      const time = { action: 'extend', level: context.body.subscription, duration, unit, withExpired } as const
      const action = await timeAction(tx.db, context, time)
      const reply = timeReply(await actOnNamedUsers(tx, context, usernames, action))
      return { code: 'USERS_EXTEND_OK', values: { count: reply.updated }, ...reply }
    },
  }),
  endpoint(contract.bulkSubtractUsers, {
    write: async (tx, context) => {
      const { usernames, duration, unit } = context.body
      const time = { action: 'subtract', level: context.body.subscription, duration, unit } as const
      const action = await timeAction(tx.db, context, time)
      const reply = timeReply(await actOnNamedUsers(tx, context, usernames, action))
      return { code: 'USERS_SUBTRACT_OK', values: { count: reply.updated }, ...reply }
    },
  }),
  endpoint(contract.bulkResetHwid, {
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
  }),
  endpoint(contract.bulkDeleteUsers, {
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
  }),
]
