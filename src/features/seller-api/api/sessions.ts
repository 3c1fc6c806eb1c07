import { done } from '#contract/define-call.ts'
import { deleteMatchingSessions, deleteProgramSession } from '#features/program-sessions/program-sessions.actions.ts'
import { countSessions, type ListedSession, listSessions } from '#features/program-sessions/program-sessions.reads.ts'
import { listedAfterExpirySeconds } from '#features/session-store/session-store.rules.ts'
import { getUser } from '#features/users/users.actions.ts'
import { type CallContext, type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerSessionsContract as contract } from '../seller-sessions.contract.ts'

export const sessionCalls: readonly Endpoint[] = [
  endpoint(contract.listSessions, {
    read: async (context) => {
      const { page = 1, limit = 10 } = context.query
      const { sessions, total } = await sessionsPage(context, { offset: (page - 1) * limit, limit })
      return { sessions: sessions.map(sessionReply), total, totalPages: Math.max(1, Math.ceil(total / limit)) }
    },
  }),
  endpoint(contract.deleteSession, {
    write: async (tx, context) => {
      await deleteProgramSession(tx, context, context.params.sessionId)
      return done(contract.deleteSession, 'SESSION_DELETE_OK')
    },
  }),
  endpoint(contract.deleteUserSessions, {
    writeInBatches: async (context) => {
      const { services, app, params } = context
      const { id: userId } = await getUser(services.db.read, app.id, params.username)
      const deleted = await deleteMatchingSessions(context, { userId })
      return { ...done(contract.deleteUserSessions, 'SESSIONS_DELETE_OK', { deleted }), deleted }
    },
  }),
]

async function sessionsPage(
  { services: { db }, app, query, now }: CallContext<typeof contract.listSessions>,
  part: { offset: number; limit: number },
): Promise<{ sessions: ListedSession[]; total: number }> {
  const userId = query.username === undefined ? undefined : (await getUser(db.read, app.id, query.username)).id
  const filter = { appId: app.id, userId, expiresAfter: now - listedAfterExpirySeconds }
  const sessions = await listSessions(db.reports, { ...filter, ...part })
  return { sessions, total: await countSessions(db.reports, filter) }
}

const sessionReply = ({ handle, username, ip, created_at, expires_at, last_heartbeat_at }: ListedSession) => ({
  session_id: handle,
  verifiedUser: username,
  ip,
  created_at,
  expires_at,
  // Not the app's current setting, which may have changed since the session was extended.
  expiry_time: expires_at - last_heartbeat_at,
})
