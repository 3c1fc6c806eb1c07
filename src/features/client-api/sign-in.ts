import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { grantByLicense } from '#features/entitlements/entitlements.actions.ts'
import { redeemLicense } from '#features/licenses/licenses.actions.ts'
import type { License } from '#features/licenses/licenses.reads.ts'
import { endSessions, signInClientSession } from '../session-store/session-store.actions.ts'
import { lockUsersById, recordSignIn } from '#features/users/users.actions.ts'
import type { User } from '#features/users/users.reads.ts'
import { type Access, accessOf } from './access.rules.ts'
import { type AccessEntitlement, listAccessEntitlements } from './client-api.reads.ts'
import { clientErrors } from './client-api.errors.ts'
import type { ProgramContext } from './client-calls.ts'
import { hwidHashOf } from './program-checks.ts'

/**
 * Locks the users of a sign-in, so that a concurrent ban happens entirely before or after it: the user who signs in, if
 * it exists, and the user of a session ended by a ban, which is reopened only once that ban is lifted.
 */
export async function lockSignIn(
  tx: Tx,
  { app, session: { row, rejection } }: ProgramContext,
  userId?: number,
): Promise<User | undefined> {
  const isEndedByBan = row.ended_code === 'USER_BANNED' || rejection === 'USER_BANNED'
  const bannedId = isEndedByBan ? (row.user_id ?? undefined) : undefined
  const ids = [...new Set([bannedId, userId])].filter((id) => id !== undefined)
  const users = ids.length === 0 ? [] : await lockUsersById(tx, app.row.id, ids)
  const find = (id: number | undefined) => users.find((user) => user.id === id)
  if (isEndedByBan && find(bannedId)?.banned !== 0) reject(clientErrors, 'USER_BANNED')
  return find(userId)
}

interface SignIn {
  /** Locked by `lockSignIn`. */
  user: User
  hwid: string | undefined
  licenseId: number | null
}

/** The first sign-in of a user, which creates it. */
export const firstSignIn = ({ app, ip }: ProgramContext, hwid: string | undefined) => ({
  ip,
  hwidHash: app.row.hwid_lock === 1 ? hwidHashOf(app, hwid) : null,
})

/** Checks access and machine of an existing user with valid credentials, then signs in the session. */
export async function signIn(tx: Tx, context: ProgramContext, { user, hwid, licenseId }: SignIn): Promise<object> {
  const { app, session, ip, now } = context
  const entitlements = await listAccessEntitlements(tx.db, app.row.id, user.id)
  const access = requireAccess(user, entitlements, now)
  const hwidHash = hwidHashOf(app, hwid)
  const bound = await recordSignIn(tx, user, { ip, now, hwidHash: app.row.hwid_lock === 1 ? hwidHash : null })
  if (!bound) reject(clientErrors, 'HWID_MISMATCH')
  if (app.row.one_session_per_credential === 1) {
    const choice = { appId: app.row.id, userIds: [user.id], exceptTokenHash: session.row.token_hash }
    await endSessions(tx, choice, 'SESSION_REPLACED')
  }
  const usedLicense = licenseId ?? entitlements.find(({ license_id }) => license_id !== null)?.license_id ?? null
  return openSession(tx, context, { user: { ...user, last_login_at: now }, access, hwidHash, licenseId: usedLicense })
}

/**
 * The same, after `lockSignIn`, for a user created in this transaction with `firstSignIn`, who has no other sessions.
 */
export async function signInNew(tx: Tx, context: ProgramContext, { user, hwid, licenseId }: SignIn) {
  const { id: appId, owner_id: ownerId } = context.app.row
  const entitlements = await listAccessEntitlements(tx.db, appId, user.id)
  const access = requireAccess(user, entitlements, context.now)
  tx.emit({ type: 'user.create', appId, ownerId, at: context.now, target: user.username, details: {} })
  return openSession(tx, context, { user, access, hwidHash: hwidHashOf(context.app, hwid), licenseId })
}

export function requireAccess(user: User, entitlements: AccessEntitlement[], now: number): Access {
  const access = accessOf(user, entitlements, now)
  return typeof access === 'string' ? reject(clientErrors, access) : access
}

interface Opening {
  user: User
  access: Access
  hwidHash: string | null
  licenseId: number | null
}

async function openSession(
  tx: Tx,
  { app, session, sessions, ip, now }: ProgramContext,
  { user, access, hwidHash, licenseId }: Opening,
): Promise<object> {
  const expiresAt = now + app.row.session_expiry_seconds
  tx.afterCommit(() => sessions.invalidate(session.row.token_hash))
  await signInClientSession(tx, session.row, {
    user_id: user.id,
    license_id: licenseId,
    hwid_hash: hwidHash,
    ip,
    last_heartbeat_at: now,
    expires_at: expiresAt,
  })
  return { expiresAt, user: userReply(user, access) }
}

/** Redeems an unused license for a user and adds its time; undefined if it is used, banned or unknown. */
export async function redeem(
  tx: Tx,
  { app, now }: ProgramContext,
  { license, user }: { license: string; user: User },
): Promise<License | undefined> {
  const appId = app.row.id
  const redeemed = await redeemLicense(tx, { appId, license, usedBy: user.username, userId: user.id, now })
  if (!redeemed) return undefined
  await grantByLicense(tx, {
    appId,
    userId: user.id,
    level: redeemed.level,
    seconds: redeemed.duration_seconds,
    licenseId: redeemed.id,
    now,
  })
  const { owner_id: ownerId } = app.row
  const details = { username: user.username, level: redeemed.level }
  tx.emit({ type: 'license.redeem', appId, ownerId, at: now, target: redeemed.license, details })
  return redeemed
}

export function userReply(user: User, { subscriptions }: Access): object {
  return {
    username: user.username,
    email: user.email,
    createdAt: user.created_at,
    lastLoginAt: user.last_login_at,
    subscriptions: subscriptions.map(({ level, name, expires_at }) => ({ level, name, expiresAt: expires_at })),
  }
}
