import { CallError, callError, reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { accessUntil, grantEnd } from '#features/entitlements/entitlements.rules.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import { createUser } from '#features/users/users.actions.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { checkHwid } from '../program-checks.ts'
import { firstSignIn, lockSignIn, signIn, signInNew } from '../sign-in.ts'

/** Another call redeemed, banned, or deleted the license, or took its name, after this one had read it. */
class LicenseChanged extends Error {}

/** Signs in with only a license key. On first use, it creates a user named like the key ("Same as license"). */
export const license: ProgramHandler<'license'> = async (context) => {
  checkHwid(context.app, context.body.hwid)
  try {
    return await context.write((tx) => signInWithKey(tx, context))
  } catch (error) {
    if (!(error instanceof LicenseChanged)) throw error
  }
  // What was done meanwhile is committed, so the same key signs in like the call that was first (PRG-56).
  return context
    .write((tx) => signInWithKey(tx, context))
    .catch((error: unknown) => {
      throw error instanceof LicenseChanged ? callError(clientErrors, 'LICENSE_ALREADY_USED') : error
    })
}

async function signInWithKey(tx: Tx, context: Parameters<typeof license>[0]): Promise<object> {
  const { app, body, now } = context
  const appId = app.row.id
  const found = await findLicense(tx.db, appId, body.key)
  if (!found) reject(clientErrors, 'LICENSE_NOT_FOUND')
  if (found.banned === 1) reject(clientErrors, 'LICENSE_BANNED')
  if (found.used === 1) {
    const isOwnUser = found.used_by === found.license
    const user = isOwnUser ? await lockSignIn(tx, context, { name: found.license }) : undefined
    // The key can also be the name of a user with a password or, in any case, of a later one than the user who redeemed it.
    if (user?.password_hash !== null || user.id !== found.used_by_user_id) reject(clientErrors, 'LICENSE_ALREADY_USED')
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
  }).catch(async (error: unknown) => {
    // The app may be full because another call with this key has just created the user.
    const isUsed = error instanceof CallError && (await findLicense(tx.db, appId, body.key))?.used === 1
    throw isUsed ? new LicenseChanged() : error
  })
  const signingIn = { call: 'license' as const, hwid: body.hwid, license: found.license }
  const reply = user && (await signInNew(tx, context, { ...signingIn, user }))
  if (!reply) throw new LicenseChanged()
  return reply
}
