import { wholeListPage } from '#contract/fields.ts'
import { countSessionsByStatus } from '#features/session-store/session-store.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'
import { countSessions, listSessions } from '../program-sessions.reads.ts'
import { sessionReply } from '../program-sessions.reply.ts'

export const listProgramSessions = endpoint(programSessionsContract.listProgramSessions, {
  read: async ({ services: { db }, app, query, now }) => {
    const { page, limit } = wholeListPage(query)
    const { appName: _name, appId: _id, page: _page, limit: _limit, sort, ...given } = query
    const filter = { ...given, appId: app.id, listedAt: now }
    const total = await countSessions(db.reports, filter)
    const rows = await listSessions(db.reports, { ...filter, offset: (page - 1) * limit, limit, sort })
    const counts = await countSessionsByStatus(db.reports, app.id, now)
    const totalPages = Math.max(1, Math.ceil(total / limit))
    return { sessions: rows.map(sessionReply), total, totalPages, limit, counts, readAt: now }
  },
})
