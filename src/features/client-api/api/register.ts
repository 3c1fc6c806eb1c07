import { reject } from '#contract/errors.ts'
import type { Reader } from '#database/database.ts'
import { emailProblem, minPasswordLength } from '#features/accounts/accounts.rules.ts'
import { accessUntil, grantEnd } from '#features/entitlements/entitlements.rules.ts'
import { findLicense, type License } from '#features/licenses/licenses.reads.ts'
import { createUser } from '#features/users/users.actions.ts'
import { findUser } from '#features/users/users.reads.ts'
import { usernameIsValid } from '#features/users/users.rules.ts'
import { hashIfAccepted } from '#server/passwords/checked-hash.ts'
import { userHashing } from '#server/passwords/hashing-use.ts'
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
  const check = async () => {
    await getUnusedLicense(services.db.read, appId, body.licenseKey)
    if (await findUser(services.db.read, appId, body.username)) reject(clientErrors, 'USERNAME_TAKEN')
  }
  const hashed = await hashIfAccepted(check, () =>
    services.passwords.hash(body.password, userHashing(app.row.owner_id)),
  )
  return write(async (tx) => {
    const license = await getUnusedLicense(tx.db, appId, body.licenseKey)
    await lockSignIn(tx, context)
    const email = body.email?.trim() ?? ''
    const user = await createUser(tx, {
      appId,
      username: body.username,
      passwordHash: hashed(),
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

async function getUnusedLicense(db: Reader, appId: string, key: string): Promise<License> {
  const license = await findLicense(db, appId, key)
  if (!license) return reject(clientErrors, 'LICENSE_NOT_FOUND')
  if (license.banned === 1) reject(clientErrors, 'LICENSE_BANNED')
  if (license.used === 1) reject(clientErrors, 'LICENSE_ALREADY_USED')
  return license
}
