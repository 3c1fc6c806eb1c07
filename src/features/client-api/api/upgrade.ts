import { reject } from '#contract/errors.ts'
import { findLicense } from '#features/licenses/licenses.reads.ts'
import { lockUser } from '#features/users/users.actions.ts'
import { recordAudit } from '#server/audit/audit.ts'
import { listAccessEntitlements } from '../client-api.reads.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { contextOfUser } from '../running-user.ts'
import { redeem, requireAccess, userReply } from '../sign-in.ts'

/** Redeems another license for the signed-in user, even if the previous subscription has expired meanwhile. */
export const upgrade: ProgramHandler<'upgrade'> = async (context) => {
  const { write, app, session, body, now } = context
  const appId = app.row.id
  const { username } = session.user ?? reject(clientErrors, 'NOT_SIGNED_IN')
  return write(async (tx) => {
    const user = await lockUser(tx, appId, username)
    if (user.banned === 1) reject(clientErrors, 'USER_BANNED')
    if (user.paused === 1) reject(clientErrors, 'USER_PAUSED')
    const license = await findLicense(tx.db, appId, body.licenseKey)
    if (!license) reject(clientErrors, 'LICENSE_NOT_FOUND')
    if (license.banned === 1) reject(clientErrors, 'LICENSE_BANNED')
    const redeemed = await redeem(tx, context, { license: license.license, user })
    if (!redeemed) reject(clientErrors, 'LICENSE_ALREADY_USED')
    const entitlements = await listAccessEntitlements(tx.db, appId, user.id)
    const given = entitlements.find(({ level }) => level === redeemed.level)
    if (given?.level_active !== 1) reject(clientErrors, 'SUBSCRIPTION_PAUSED')
    const access = requireAccess(user, entitlements, now)
    tx.publish(`access:${appId}`)
    const details = { level: redeemed.level, seconds: redeemed.duration_seconds }
    await recordAudit(tx, contextOfUser(context, user), { act: 'user.upgrade', target: username, details })
    return { expiresAt: session.row.expires_at, user: userReply(user, access) }
  })
}
