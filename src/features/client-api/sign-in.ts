import { reject } from '#contract/errors.ts'
import { atOnce } from '#database/at-once.ts'
import type { Tx } from '#database/database.ts'
import { grantTime } from '#features/entitlements/entitlements.actions.ts'
import { redeemLicense } from '#features/licenses/licenses.actions.ts'
import type { License } from '#features/licenses/licenses.reads.ts'
import { endOtherSessions, signInClientSession } from '../session-store/session-store.actions.ts'
import { lockUserByName, lockUsersById, recordSignIn } from '#features/users/users.actions.ts'
import { findUser, type User } from '#features/users/users.reads.ts'
import { webhookEvents } from '#features/webhooks/webhook-events.ts'
import { type Access, accessOf } from './access.rules.ts'
import { type AccessEntitlement, listAccessEntitlements } from './client-api.reads.ts'
import { type ClientCode, clientErrors } from './client-api.errors.ts'
import type { ProgramContext } from './client-calls.ts'
import type { SessionUser } from './live-sessions.ts'
import { hwidHashOf } from './program-checks.ts'

/**
 * Locks the users of a sign-in, so that a concurrent ban happens entirely before or after it: the user who signs in, if
 * it exists, and the user of a session ended by a ban, which is reopened only once that ban is lifted.
 */
export async function lockSignIn(
  tx: Tx,
  { app, session: { row, rejection } }: ProgramContext,
  who?: { id: number } | { name: string },
): Promise<User | undefined> {
  const appId = app.row.id
  const isEndedByBan = row.ended_code === 'USER_BANNED' || rejection === 'USER_BANNED'
  if (!isEndedByBan && who && 'name' in who) return lockUserByName(tx, appId, who.name)
  const userId = who && 'name' in who ? (await findUser(tx.db, appId, who.name))?.id : who?.id
  const bannedId = isEndedByBan ? (row.user_id ?? undefined) : undefined
  const ids = [...new Set([bannedId, userId])].filter((id) => id !== undefined)
  const users = await lockUsersById(tx, appId, ids)
  const find = (id: number | undefined) => users.find((user) => user.id === id)
  if (isEndedByBan && find(bannedId)?.banned !== 0) reject(clientErrors, 'USER_BANNED')
  return find(userId)
}

/** A call with which a customer signs in; `renew` continues a session instead. */
type SignInCall = 'license' | 'login' | 'register'

interface SignIn {
  /** Undefined for `renew`. */
  call: SignInCall | undefined
  /** Locked by `lockSignIn`. */
  user: User
  hwid: string | undefined
  /** The license of the key; for `renew`, the one to which the session belongs. */
  licenseId: number | null
}

/** The first sign-in of a user, which creates it. */
export const firstSignIn = ({ app, ip }: ProgramContext, hwid: string | undefined) => ({
  ip,
  hwidHash: app.row.hwid_lock === 1 ? hwidHashOf(app, hwid) : null,
})

/** Checks access and machine of an existing user with valid credentials, and signs in the session. */
export async function signIn(
  tx: Tx,
  context: ProgramContext,
  { call, user, hwid, licenseId }: SignIn,
): Promise<object> {
  const { app, session, ip, now } = context
  const { id: appId, hwid_lock: hwidLock, one_session_per_credential: isOnlySession } = app.row
  const hwidHash = hwidHashOf(app, hwid)
  const listed = listAccessEntitlements(tx.db, appId, user.id)
  const usedLicense = call === 'license' ? licenseId : runningLicense(accessOf(user, await listed, now), licenseId)
  const others = { appId, userId: user.id, tokenHash: session.row.token_hash }
  const [entitlements, isBound, expiresAt] = await atOnce([
    listed,
    recordSignIn(tx, user, { ip, now, hwidHash: hwidLock === 1 ? hwidHash : null }),
    openSession(tx, context, { call, userId: user.id, hwidHash, licenseId: usedLicense }),
    isOnlySession === 1 ? endOtherSessions(tx, others, 'SESSION_REPLACED') : undefined,
  ])
  // A rejection rolls back the rest.
  const access = requireAccess(user, entitlements, now)
  if (!isBound) reject(clientErrors, 'HWID_MISMATCH')
  if (call) announceSignIn(tx, context, { call, user, isFirst: false })
  return { expiresAt, user: userReply({ ...user, last_login_at: now }, access) }
}

/**
 * The license to which a session belongs and with which it ends: one that lets the user run, `previous` if it does. A
 * session of another license would end although the user may run (PRG-9).
 */
function runningLicense(access: Access<AccessEntitlement> | ClientCode, previous: number | null): number | null {
  const running = typeof access === 'string' ? [] : access.subscriptions.map(({ license_id: id }) => id)
  const licenses = running.filter((id) => id !== null)
  return licenses.find((id) => id === previous) ?? licenses[0] ?? null
}

interface NewSignIn {
  call: SignInCall
  /** Created in this transaction with `firstSignIn`, after `lockSignIn`; has no other sessions. */
  user: User
  hwid: string | undefined
  /** Key of an unused license. */
  license: string
}

/** Redeems the license for the new user and signs in the session; undefined if another call was first. */
export async function signInNew(
  tx: Tx,
  context: ProgramContext,
  { call, user, hwid, license }: NewSignIn,
): Promise<object | undefined> {
  const { app, now } = context
  const { id: appId, owner_id: ownerId } = app.row
  const redeemed = await redeem(tx, context, { license, user })
  if (!redeemed) return undefined
  const opening = { call, userId: user.id, hwidHash: hwidHashOf(app, hwid), licenseId: redeemed.id }
  const [entitlements, expiresAt] = await atOnce([
    listAccessEntitlements(tx.db, appId, user.id),
    openSession(tx, context, opening),
  ])
  const access = requireAccess(user, entitlements, now)
  tx.emit({ type: 'user.create', appId, ownerId, at: now, target: user.username, details: {} })
  announceSignIn(tx, context, { call, user, isFirst: true })
  return { expiresAt, user: userReply(user, access) }
}

function announceSignIn(
  tx: Tx,
  { services, app, ip, now }: ProgramContext,
  { call, user, isFirst }: { call: SignInCall; user: User; isFirst: boolean },
): void {
  const { id: appId, owner_id: ownerId } = app.row
  const event = { type: 'sign-in.succeed', appId, ownerId, at: now, target: user.username }
  webhookEvents(services).emitFrequent(tx, { ...event, details: { call, first: isFirst, ip } })
}

export function requireAccess(user: User, entitlements: AccessEntitlement[], now: number): Access {
  const access = accessOf(user, entitlements, now)
  return typeof access === 'string' ? reject(clientErrors, access) : access
}

interface Opening {
  call: SignInCall | undefined
  userId: number
  hwidHash: string | null
  licenseId: number | null
}

/** Returns when the session expires, in epoch seconds. */
async function openSession(
  tx: Tx,
  { services, app, session, sessions, ip, now }: ProgramContext,
  { call, userId, hwidHash, licenseId }: Opening,
): Promise<number> {
  const expiresAt = now + app.row.session_expiry_seconds
  tx.afterCommit(() => sessions.invalidate(session.row.token_hash))
  await signInClientSession(tx, session.row, {
    user_id: userId,
    license_id: licenseId,
    hwid_hash: hwidHash,
    ip,
    country: services.ipData.countryOf(ip),
    // A sign-in starts the session anew, so that the pending job of a ban lifted before doesn't end it (PRG-12).
    created_at: call ? now : session.row.created_at,
    last_heartbeat_at: now,
    expires_at: expiresAt,
  })
  return expiresAt
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
  await grantTime(tx, {
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

export function userReply(user: SessionUser, { subscriptions }: Access): object {
  return {
    username: user.username,
    email: user.email,
    createdAt: user.created_at,
    lastLoginAt: user.last_login_at,
    subscriptions: subscriptions.map(({ level, name, expires_at }) => ({ level, name, expiresAt: expires_at })),
  }
}
