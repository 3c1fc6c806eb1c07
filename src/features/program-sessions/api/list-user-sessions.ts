import { getUser } from '#features/users/users.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'
import { countSessions, listSessions } from '../program-sessions.reads.ts'
import { sessionReply } from '../program-sessions.reply.ts'

export const listUserSessions = endpoint(programSessionsContract.listUserSessions, {
  read: async ({ services: { db }, app, params, query: { page = 1, limit = 10 }, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    const filter = { appId: app.id, userId: user.id, listedAt: now }
    const total = await countSessions(db.reports, filter)
    const rows = await listSessions(db.reports, { ...filter, offset: (page - 1) * limit, limit })
    return {
      sessions: rows.map(sessionReply),
      total,
      totalPages: Math.max(1, Math.ceil(total / limit)),
    }
  },
})
