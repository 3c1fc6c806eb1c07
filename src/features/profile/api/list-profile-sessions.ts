import { sessionsOfAccount } from '#features/accounts/account-sessions.actions.ts'
import { endpoint } from '#server/endpoint.ts'
import { profileContract } from '../profile.contract.ts'

export const listProfileSessions = endpoint(profileContract.listProfileSessions, {
  read: async ({ services: { db }, actor, now }) => {
    const sessions = await sessionsOfAccount(db.read, actor.id, now)
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
