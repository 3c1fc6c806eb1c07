import { reject } from '#contract/errors.ts'
import { emailProblem, minPasswordLength } from '#features/accounts/accounts.rules.ts'
import { accessUntil, grantEnd } from '#features/entitlements/entitlements.rules.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import { createUser } from '#features/users/users.actions.ts'
import { usernameIsValid } from '#features/users/users.rules.ts'
import { endUserCost } from '#server/passwords/passwords.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkHwid } from '../program-checks.ts'
import { firstSignIn, lockSignIn, signInNew } from '../sign-in.ts'

/** Creates a user with a license. If it fails for any reason, the license stays unused. */
export const register: ProgramHandler<'register'> = async (context) => {
  const { services, write, app, body, now } = context
  const appId = app.row.id
  if (!usernameIsValid(body.username)) reject(clientErrors, 'USERNAME_INVALID')
  if (body.password.length < minPasswordLength) reject(clientErrors, 'PASSWORD_TOO_SHORT')
  if (body.email && emailProblem(body.email)) reject(clientErrors, 'EMAIL_INVALID')
  checkHwid(app, body.hwid)
  const passwordHash = await services.passwords.hash(body.password, endUserCost)
  return write(async (tx) => {
    const license = await findLicense(tx.db, appId, body.licenseKey)
    if (!license) reject(clientErrors, 'LICENSE_NOT_FOUND')
    if (license.banned === 1) reject(clientErrors, 'LICENSE_BANNED')
    if (license.used === 1) reject(clientErrors, 'LICENSE_ALREADY_USED')
    await lockSignIn(tx, context)
    const email = body.email?.trim() ?? ''
    const user = await createUser(tx, {
      appId,
      username: body.username,
      passwordHash,
      email,
      signIn: firstSignIn(context, body.hwid),
      access: accessUntil([grantEnd(license.duration_seconds, now)]),
      now,
    })
    if (!user) reject(clientErrors, 'USERNAME_TAKEN')
    const reply = await signInNew(tx, context, {
      call: 'register',
      user,
      hwid: body.hwid,
      license: license.license,
    })
    return reply ?? reject(clientErrors, 'LICENSE_ALREADY_USED')
  })
}
