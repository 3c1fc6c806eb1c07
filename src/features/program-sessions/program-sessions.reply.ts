import type { ListedSession } from './program-sessions.reads.ts'

/** A session in the reply. */
export const sessionReply = ({ handle, username, ip, created_at, expires_at, last_heartbeat_at }: ListedSession) => ({
  session_id: handle,
  verifiedUser: username,
  ip,
  created_at,
  expires_at,
  // Not the app's current setting, which may have changed since the session was extended.
  expiry_time: expires_at - last_heartbeat_at,
})
