import { refuse } from '#contract/refusals.ts'
import { accessOf } from '../access.rules.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { clientRefusals } from '../client-api.refusals.ts'
import { userReply } from '../sign-in.ts'

/** Answered from memory; a ban, pause or expiry takes effect here (R-CLI-06). */
export const heartbeat: ProgramHandler<'heartbeat'> = async ({ sessions, app, session, now }) => {
  if (!session.user) refuse(clientRefusals, 'NOT_SIGNED_IN')
  const access = accessOf(session.user, session.entitlements, now)
  if (typeof access === 'string') refuse(clientRefusals, access)
  const expiresAt = now + app.row.session_expiry_seconds
  sessions.recordHeartbeat(session, now, expiresAt)
  return { expiresAt, user: userReply(session.user, access) }
}
