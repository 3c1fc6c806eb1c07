import { CallError, reject } from '#contract/errors.ts'
import { findUser, type User } from '#features/users/users.reads.ts'
import { endAttempt } from '#server/auth/login-throttle.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramContext, ProgramHandler } from '../client-calls.ts'
import { useVerified, verifyPassword } from '../password-verification.ts'
import { checkHwid, hwidHashOf } from '../program-checks.ts'
import { redeemAnother } from '../redeem-another.ts'
import { lockSignIn, signIn } from '../sign-in.ts'

/**
 * Signs in a user; a wrong name and a wrong password get the same reply in the same time. With a license key, redeems it
 * for the user first, so that a customer whose time has ended can renew (PRG-45). If the sign-in fails for any reason,
 * the license stays unused.
 */
export const login: ProgramHandler<'login'> = async (context) => {
  const { services, write, app, body } = context
  const appId = app.row.id
  checkHwid(app, body.hwid)
  const { username, password, licenseKey, hwid } = body
  const found = await findUser(services.db.read, appId, username)
  // The log and its alerts know a user by one name, however it was typed (LOG-1).
  if (found) body.username = found.username
  const isBound = isBoundMachine(context, found)
  const { user, attempt } = await verifyPassword(context, { username, found, password, isBound })
  try {
    return await useVerified(context, attempt, async (tx) => {
      const current = await lockSignIn(tx, context, { id: user.id })
      // The password may have been changed during verification.
      if (current?.password_hash !== user.password_hash) reject(clientErrors, 'INVALID_CREDENTIALS')
      if (licenseKey !== undefined) await redeemAnother(tx, context, { user: current, licenseKey })
      return signIn(tx, context, { call: 'login', user: current, hwid, licenseId: null })
    })
  } catch (error) {
    if (licenseKey === undefined && isAfterPassword(error)) await write((tx) => endAttempt(tx, attempt))
    throw error
  }
}

/** A right password is no guess, whatever else the sign-in is rejected for (PRG-57). */
const isAfterPassword = (error: unknown): boolean =>
  error instanceof CallError && error.status < 500 && error.code !== 'INVALID_CREDENTIALS'

function isBoundMachine({ app, body }: ProgramContext, user: User | undefined): boolean {
  const { hwid } = body as { hwid?: string }
  return user?.hwid_hash !== null && user?.hwid_hash !== undefined && user.hwid_hash === hwidHashOf(app, hwid)
}
