import { reject } from '#contract/errors.ts'
import { accessUntil, grantEnd } from '#features/entitlements/entitlements.rules.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import { createUser } from '#features/users/users.actions.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkHwid } from '../program-checks.ts'
import { firstSignIn, lockSignIn, signIn, signInNew } from '../sign-in.ts'

/** Signs in with only a license key. On first use, it creates a user named like the key ("Same as license"). */
export const license: ProgramHandler<'license'> = async (context) => {
  const { write, app, body, now } = context
  const appId = app.row.id
  checkHwid(app, body.hwid)
  return write(async (tx) => {
    const found = await findLicense(tx.db, appId, body.key)
    if (!found) reject(clientErrors, 'LICENSE_NOT_FOUND')
    if (found.banned === 1) reject(clientErrors, 'LICENSE_BANNED')
    if (found.used === 1) {
      const isOwnUser = found.used_by === found.license
      const user = isOwnUser ? await lockSignIn(tx, context, { name: found.license }) : undefined
      // The key can also be the name of a user with a password or, in any case, of a later one than the user who redeemed it.
      if (user?.password_hash !== null || user.id !== found.used_by_user_id)
        reject(clientErrors, 'LICENSE_ALREADY_USED')
      return signIn(tx, context, { call: 'license', user, hwid: body.hwid, licenseId: found.id })
    }
    await lockSignIn(tx, context)
    const user = await createUser(tx, {
      appId,
      username: found.license,
      passwordHash: null,
      email: '',
      signIn: firstSignIn(context, body.hwid),
      access: accessUntil([grantEnd(found.duration_seconds, now)]),
      now,
    })
    const signingIn = { call: 'license' as const, hwid: body.hwid, license: found.license }
    const reply = user && (await signInNew(tx, context, { ...signingIn, user }))
    // Another call has just redeemed the license or taken the name.
    return reply ?? reject(clientErrors, 'LICENSE_ALREADY_USED')
  })
}
