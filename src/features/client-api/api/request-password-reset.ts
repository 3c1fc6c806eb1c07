import { requestUserReset } from '#features/users/user-password-reset.actions.ts'
import { findUser } from '#features/users/users.reads.ts'
import { requireMail } from '#server/mail/mail.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { ProgramContext, ProgramHandler } from '../client-calls.ts'

/** Limits per hour for a session, for a network in an app, and for an app. Each user receives at most three emails. */
export const maxOfSession = 3
export const maxOfNetwork = 60
export const maxOfApp = 600

/** Emails the user a password reset link; the reply is the same for an unknown user or a user without an address. */
export const requestPasswordReset: ProgramHandler<'request-password-reset'> = async (context) => {
  const { services, write, app, ip, requestId, body, now } = context
  const found = await findUser(services.db.read, app.row.id, body.username)
  // As for a sign-in (LOG-1).
  if (found) body.username = found.username
  requireMail(services)
  limitRequests(context)
  const request = { appId: app.row.id, username: body.username, ip, requestId }
  await write((tx) => requestUserReset(tx, request, now))
  return {}
}

function limitRequests({ services, app, session, ip }: ProgramContext): void {
  const { id } = app.row
  const limits = [
    { purpose: 'resets of a session', subject: session.row.token_hash, max: maxOfSession },
    { purpose: 'resets of a network', subject: `${id} ${networkOf(ip)}`, max: maxOfNetwork },
    { purpose: 'resets of an app', subject: id, max: maxOfApp },
  ]
  for (const limit of limits) services.rateLimits.take({ ...limit, seconds: 3600 }, services.clock())
}
