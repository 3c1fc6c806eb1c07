import type { ProgramHandler } from '../client-calls.ts'
import { requireRunningUser } from '../running-user.ts'
import { userReply } from '../sign-in.ts'

/** Answered from memory; a ban, pause or expiry takes effect here. */
export const heartbeat: ProgramHandler<'heartbeat'> = (context) => {
  const { sessions, app, session, now } = context
  const { user, access } = requireRunningUser(context)
  const expiresAt = now + app.row.session_expiry_seconds
  sessions.recordHeartbeat(session, now, expiresAt)
  return { expiresAt, user: userReply(user, access) }
}
