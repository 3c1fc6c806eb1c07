import { refuse } from '#contract/refusals.ts'
import { emailProblem, minPasswordLength } from '#features/accounts/accounts.rules.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import { createUser } from '#features/users/users.actions.ts'
import { usernameIsValid } from '#features/users/users.rules.ts'
import { endUserCost } from '#server/auth/passwords.ts'
import { clientRefusals } from '../client-api.refusals.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkHwid, firstSignIn, lockSignIn, redeem, signInNew } from '../sign-in.ts'

/** Makes a user with a license. Failing for any reason leaves the license unused (R-LIC-03). */
export const register: ProgramHandler<'register'> = async (context) => {
  const { services, write, app, body, now } = context
  const appId = app.row.id
  if (!usernameIsValid(body.username)) refuse(clientRefusals, 'USERNAME_INVALID')
  if (body.password.length < minPasswordLength) refuse(clientRefusals, 'PASSWORD_TOO_SHORT')
  if (body.email && emailProblem(body.email)) refuse(clientRefusals, 'EMAIL_INVALID')
  checkHwid(app, body.hwid)
  const passwordHash = await services.passwords.hash(body.password, endUserCost)
  return write(async (tx) => {
    const license = await findLicense(tx.db, appId, body.licenseKey)
    if (!license) refuse(clientRefusals, 'LICENSE_NOT_FOUND')
    if (license.banned === 1) refuse(clientRefusals, 'LICENSE_BANNED')
    if (license.used === 1) refuse(clientRefusals, 'LICENSE_ALREADY_USED')
    await lockSignIn(tx, context)
    const email = body.email?.trim() ?? ''
    const user = await createUser(tx, {
      appId,
      username: body.username,
      passwordHash,
      email,
      signIn: firstSignIn(context, body.hwid),
      now,
    })
    if (!user) refuse(clientRefusals, 'USERNAME_TAKEN')
    const redeemed = await redeem(tx, context, { license: license.license, user })
    if (!redeemed) refuse(clientRefusals, 'LICENSE_ALREADY_USED')
    return signInNew(tx, context, { user, hwid: body.hwid, licenseId: redeemed.id })
  })
}
