import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import type { User } from '#features/users/users.reads.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { type Access, accessOf } from './access.rules.ts'
import { clientErrors } from './client-api.errors.ts'
import { listAccessEntitlements } from './client-api.reads.ts'
import type { ProgramContext } from './client-calls.ts'
import { contextOfUser } from './running-user.ts'
import { redeem, requireAccess } from './sign-in.ts'

/** What a license of a level that isn't paused cures. */
const curable = new Set(['SUBSCRIPTION_EXPIRED', 'SUBSCRIPTION_PAUSED'])

/**
 * Redeems another license for a locked user and returns what the user may run then. A new license adds time, also after
 * the time has ended (PRG-20, PRG-45), but doesn't buy off a ban or the pause of the user (PRG-47).
 */
export async function redeemAnother(
  tx: Tx,
  context: ProgramContext,
  { user, licenseKey }: { user: User; licenseKey: string },
): Promise<Access> {
  const { app, now } = context
  const appId = app.row.id
  const before = await listAccessEntitlements(tx.db, appId, user.id)
  const access = accessOf(user, before, now)
  if (typeof access === 'string' && !curable.has(access)) reject(clientErrors, access)
  const license = await findLicense(tx.db, appId, licenseKey)
  if (!license) reject(clientErrors, 'LICENSE_NOT_FOUND')
  if (license.banned === 1) reject(clientErrors, 'LICENSE_BANNED')
  const redeemed = await redeem(tx, context, { license: license.license, user })
  if (!redeemed) reject(clientErrors, 'LICENSE_ALREADY_USED')
  const { level, duration_seconds: seconds } = redeemed
  // The level would keep its time and lose the banned license.
  if (before.some((each) => each.level === level && each.license_banned === 1)) reject(clientErrors, 'LICENSE_BANNED')
  const after = await listAccessEntitlements(tx.db, appId, user.id)
  if (after.find((each) => each.level === level)?.level_active !== 1) reject(clientErrors, 'SUBSCRIPTION_PAUSED')
  tx.publish(`access:${appId}`)
  const entry = { act: 'user.upgrade' as const, target: user.username, details: { level, seconds } }
  await recordAudit(tx, contextOfUser(context, user), entry)
  return requireAccess(user, after, now)
}
