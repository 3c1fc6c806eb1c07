import { pageCount } from '#contract/fields.ts'
import { deleteMatchingSessions, deleteProgramSession } from '#features/program-sessions/program-sessions.actions.ts'
import { countSessions, listSessions } from '#features/program-sessions/program-sessions.reads.ts'
import { sessionReply } from '#features/program-sessions/program-sessions.reply.ts'
import { getUser } from '#features/users/users.actions.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerSessionsContract as contract } from '../seller-sessions.contract.ts'

export const sessionCalls: readonly Endpoint[] = [
  endpoint(contract.listSessions, {
    read: async ({ services: { db }, app, query, now }) => {
      const { page = 1, limit = 10, username } = query
      const userId = username === undefined ? undefined : (await getUser(db.read, app.id, username)).id
      const filter = { appId: app.id, userId, listedAt: now }
      const sessions = await listSessions(db.reports, { ...filter, offset: (page - 1) * limit, limit })
      const total = await countSessions(db.reports, filter)
      return {
        sessions: sessions.map(sessionReply),
        total,
        totalPages: pageCount(total, limit),
      }
    },
  }),
  endpoint(contract.deleteSession, {
    write: async (tx, context) => {
      await deleteProgramSession(tx, context, context.params.sessionId)
      return { code: 'SESSION_DELETE_OK' }
    },
  }),
  endpoint(contract.deleteUserSessions, {
    writeInBatches: async (context) => {
      const { services, app, params } = context
      const { id: userId } = await getUser(services.db.read, app.id, params.username)
      const deleted = await deleteMatchingSessions(context, { userId })
      return { code: 'SESSIONS_DELETE_OK', values: { deleted }, deleted }
    },
  }),
]
