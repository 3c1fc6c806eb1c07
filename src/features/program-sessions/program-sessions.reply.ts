import { hwidFingerprint } from '#features/users/users.reply.ts'
import type { ListedSession } from './program-sessions.reads.ts'

export const sessionReply = (session: ListedSession) => ({
  session_id: session.handle,
  verifiedUser: session.username,
  ip: session.ip,
  country: session.country,
  hwid: hwidFingerprint(session),
  created_at: session.created_at,
  expires_at: session.expires_at,
  // Not the app's current setting, which may have changed since the session was extended.
  expiry_time: session.expires_at - session.last_heartbeat_at,
})
