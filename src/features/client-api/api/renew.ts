import { type ErrorDefinitions, reject } from '#contract/errors.ts'
import { isRenewable } from '#features/session-store/session-store.actions.ts'
import { endedCodeOf } from '#features/session-store/session-store.reads.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkHwid, checkProgram, hwidHashOf } from '../program-checks.ts'
import { lockSignIn, signIn } from '../sign-in.ts'

/**
 * Revives a session that expired, such as while the computer slept, on the machine that signed in (PRG-42). Everything
 * that a start and a sign-in check is checked again, except the key or the password.
 */
export const renew: ProgramHandler<'renew'> = async (context) => {
  const { services, write, app, session, body, ip, now } = context
  const { user_id: userId, license_id: licenseId, hwid_hash: hwidHash } = session.row
  checkProgram(services, app, { ...body, ip })
  checkHwid(app, body.hwid)
  if (userId === null || !isRenewable(session.row, now)) reject(clientErrors, 'SESSION_EXPIRED')
  if (hwidHash !== hwidHashOf(app, body.hwid)) reject(clientErrors, 'HWID_MISMATCH')
  return write(async (tx) => {
    const user = await lockSignIn(tx, context, { id: userId })
    if (!user) reject(clientErrors, 'SESSION_ENDED')
    // Another sign-in of this user, or the owner, may have ended the session just now.
    const endedCode = await endedCodeOf(tx.db, session.row)
    if (endedCode) reject(clientErrors as ErrorDefinitions, endedCode)
    return signIn(tx, context, { call: undefined, user, hwid: body.hwid, licenseId })
  })
}
