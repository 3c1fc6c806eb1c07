import { accountSecurityContract } from '../account-security.contract.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { listSessions } from '../accounts.reads.ts'

export const listProfileSessions = endpoint(accountSecurityContract.listProfileSessions, {
  read: async ({ services: { db }, actor, now }) => {
    const sessions = await listSessions(db.read, actor.id, now)
    return {
      sessions: sessions.map((session) => ({
        session_id: session.handle,
        ip: session.ip,
        user_agent: session.user_agent,
        is_current: session.id_hash === actor.sessionHash,
        remember_me: session.remember_me === 1,
        created_at: session.created_at,
        last_used_at: session.last_used_at,
        expires_at: session.expires_at,
      })),
    }
  },
})
