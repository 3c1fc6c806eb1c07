import { listedAfterExpirySeconds } from '#features/session-store/session-store.rules.ts'
import { getUser } from '#features/users/users.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { programSessionsContract } from '../program-sessions.contract.ts'
import { countSessions, listSessions } from '../program-sessions.reads.ts'
import { sessionReply } from '../program-sessions.reply.ts'

export const listUserSessions = endpoint(programSessionsContract.listUserSessions, {
  read: async ({ services: { db, ipData }, app, params, query: { page = 1, limit = 10 }, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    const filter = { appId: app.id, userId: user.id, expiresAfter: now - listedAfterExpirySeconds }
    const total = await countSessions(db.reports, filter)
    const rows = await listSessions(db.reports, { ...filter, offset: (page - 1) * limit, limit })
    return {
      sessions: rows.map((session) => sessionReply(session, ipData)),
      total,
      totalPages: Math.max(1, Math.ceil(total / limit)),
    }
  },
})
