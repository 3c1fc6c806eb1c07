import { pageCount, wholeListPage } from '#contract/fields.ts'
import { countSessionsByCountry, countSessionsByStatus } from '#features/session-store/session-store.reads.ts'
import { getUser } from '#features/users/users.actions.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { deleteProgramSession } from '../program-sessions.actions.ts'
import { programSessionsContract as contract } from '../program-sessions.contract.ts'
import { countSessions, listSessions } from '../program-sessions.reads.ts'
import { sessionReply } from '../program-sessions.reply.ts'

export const programSessionCalls: readonly Endpoint[] = [
  endpoint(contract.listProgramSessions, {
    read: async ({ services: { db }, app, query, now }) => {
      const { page, limit } = wholeListPage(query)
      const { appName: _name, appId: _id, page: _page, limit: _limit, sort, ...given } = query
      const filter = { ...given, appId: app.id, listedAt: now }
      const total = await countSessions(db.reports, filter)
      const rows = await listSessions(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
      const counts = await countSessionsByStatus(db.reports, app.id, now)
      const totalPages = pageCount(total, limit)
      return { sessions: rows.map(sessionReply), total, totalPages, limit, counts, readAt: now }
    },
  }),
  endpoint(contract.listUserSessions, {
    read: async ({ services: { db }, app, params, query: { page = 1, limit = 10 }, now }) => {
      const user = await getUser(db.read, app.id, params.username)
      const filter = { appId: app.id, userId: user.id, listedAt: now }
      const total = await countSessions(db.reports, filter)
      const rows = await listSessions(db.reports, { ...filter, offset: (page - 1) * limit, limit })
      return {
        sessions: rows.map(sessionReply),
        total,
        totalPages: pageCount(total, limit),
      }
    },
  }),
  endpoint(contract.readSessionFacets, {
    read: async ({ services: { db }, app, now }) => ({
      countries: await countSessionsByCountry(db.reports, app.id, now),
    }),
  }),
  endpoint(contract.deleteProgramSession, {
    write: async (tx, context) => {
      await deleteProgramSession(tx, context, context.body.sessionId)
      return { code: 'SESSION_DELETE_OK' }
    },
  }),
]
