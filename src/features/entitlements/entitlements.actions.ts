import type { AuditEvent } from '#contract/audit-events.ts'
import { type DurationUnit, durationSeconds, unitSeconds } from '#contract/duration.ts'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { getLevel, lockLevel } from '#features/levels/levels.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf } from '#server/audit/changes.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { entitlementEndErrors, entitlementsErrors } from './entitlements.errors.ts'
import {
  type Entitlement,
  type EntitlementRow,
  type FormerEntitlement,
  listEntitlements,
  listSharedRows,
  type NewEntitlement,
} from './entitlements.reads.ts'
import {
  type EntitlementEnd,
  entitlementEnd,
  grantEnd,
  secondsLeft,
  storedEnd,
  timeProblem,
  type TimeRejection,
  timeRejection,
  userClock,
} from './entitlements.rules.ts'
import {
  addSeconds,
  deleteByUsers,
  deleteEntitlement,
  deleteEntitlementsOfLevel,
  type EntitledUser,
  insertEntitlement,
  insertEntitlements,
  insertGrant,
  lockEntitlement,
  shiftExpiryByPause,
  subtractSeconds,
  updateExpiry,
  updateExpiryByUser,
  updateSharedTime,
  updateShares,
} from './entitlements.writes.ts'
import { sharesAtEnd, withGrant } from './license-shares.rules.ts'

export type { EntitledUser }

interface Recorded {
  /** ID of the undo record. */
  operation?: string | undefined
}

const operationsOf = (operation: string | undefined): string[] => (operation === undefined ? [] : [operation])

/** The username is for the audit log. */
type NamedUser = EntitledUser & { username: string }

const isRunning = (user: EntitledUser, { expires_at }: Entitlement, now: number): boolean =>
  secondsLeft(expires_at, userClock(user, now)) !== 0

async function getEntitlement(db: Reader, user: EntitledUser, level: number): Promise<Entitlement> {
  const [entitlement] = await listEntitlements(db, { appId: user.app_id, userIds: [user.id], level })
  return entitlement ?? reject(entitlementsErrors, 'USER_SUBSCRIPTION_NOT_FOUND')
}

/** Grants a locked user a level for a number of days. Rejects if it is still active; an expired one starts again. */
export async function grantEntitlement(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  { level, days, operation }: { level: number; days: number } & Recorded,
): Promise<Entitlement> {
  const { now } = context
  const { app_id: appId, id: userId } = user
  await lockLevel(tx, appId, level)
  const [entitlement] = await listEntitlements(tx.db, { appId, userIds: [userId], level })
  if (entitlement && isRunning(user, entitlement, now)) reject(entitlementsErrors, 'USER_SUBSCRIPTION_TAKEN')
  const seconds = days * unitSeconds.days
  await grantTime(tx, { appId, userId, level, seconds, licenseId: null, now: userClock(user, now) })
  tx.publish(`access:${appId}`)
  const entry = { target: user.username, details: { level, days }, operations: operationsOf(operation) }
  await recordAudit(tx, context, { act: entitlementGrant, ...entry })
  return getEntitlement(tx.db, user, level)
}

export interface EntitlementChange {
  days?: number | undefined
  /** Epoch seconds; null never expires. */
  expiry?: number | null | undefined
  active?: boolean | undefined
  /** The end that the caller saw. */
  before?: Partial<EntitlementEnd> | undefined
}

/** Changes when a locked user's entitlement expires; `active: false` means now. */
export async function changeEntitlement(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  { level, operation, before, ...change }: EntitlementChange & { level: number } & Recorded,
): Promise<Entitlement> {
  if (change.days !== undefined && change.expiry !== undefined)
    reject(entitlementEndErrors, 'END_AMBIGUOUS', { details: { field: 'expiry' } })
  const entitlement = await getEntitlement(tx.db, user, level)
  const wanted = change.expiry === undefined ? {} : { expiry: change.expiry || null }
  // The end of a paused user moves: the time left says whether it is still what the caller saw.
  const isMoving = user.paused_at !== null && before?.time_left !== undefined
  const seen = isMoving ? { time_left: before.time_left } : before
  rejectFieldConflict(
    { before: seen, change: wanted },
    { ...entitlementEnd(user, entitlement.expires_at, context.now) },
  )
  const countedFrom = isMoving ? before.expiry : undefined
  const expiresAt = changedExpiry(user, entitlement, { ...change, countedFrom }, context.now)
  const rest = { appId: user.app_id, users: [user], now: context.now }
  await settleShares(tx, rest, (row) => (row.level === level ? expiresAt : row.expires_at))
  await updateExpiry(tx.db, { appId: user.app_id, userId: user.id, level, expiresAt })
  tx.publish(`access:${user.app_id}`)
  const details = { level, ...change }
  await recordAudit(tx, context, {
    act: 'user.update-subscription',
    target: user.username,
    details,
    changes: changeOf('expiry', entitlement.expires_at, expiresAt),
    operations: operationsOf(operation),
  })
  return { ...entitlement, expires_at: expiresAt }
}

function changedExpiry(
  user: EntitledUser,
  entitlement: Entitlement,
  /** `countedFrom` is the moving end of a paused user from which the caller counts. */
  change: EntitlementChange & { countedFrom?: number | null | undefined },
  now: number,
): number | null {
  const { expires_at: end } = entitlement
  const clock = userClock(user, now)
  if (change.active === false) return isRunning(user, entitlement, now) ? clock : entitlement.expires_at
  if (change.days !== undefined) return Math.min(clock + change.days * unitSeconds.days, maxEpochSeconds)
  if (change.expiry === null || change.expiry === 0) return null
  if (change.expiry !== undefined && change.countedFrom && end !== null)
    return Math.min(Math.max(0, end + change.expiry - change.countedFrom), maxEpochSeconds)
  if (change.expiry !== undefined) return storedEnd(change.expiry, user, now)
  if (change.active === true && isRunning(user, entitlement, now)) return entitlement.expires_at
  return reject(entitlementsErrors, 'DURATION_REQUIRED')
}

/** Event names in the audit log and the undo log. */
export const entitlementGrant = 'user.add-subscription' satisfies AuditEvent
export const entitlementRemoval = 'user.remove-subscription' satisfies AuditEvent

/** Removes a level from a locked user, whose other entitlements are kept. Returns the deleted row. */
export async function removeEntitlement(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  { level, operation }: { level: number; operation: string },
): Promise<EntitlementRow> {
  const removed = await deleteEntitlement(tx.db, { appId: user.app_id, userId: user.id, level })
  if (!removed) reject(entitlementsErrors, 'USER_SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${user.app_id}`)
  const entry = { target: user.username, details: { level }, operations: [operation] }
  await recordAudit(tx, context, { act: entitlementRemoval, ...entry })
  return removed
}

/** Restores a removed entitlement of a locked user, with its end and its licenses, whose bans still apply. */
export async function restoreEntitlement(tx: Tx, removed: NewEntitlement): Promise<void> {
  await insertEntitlement(tx.db, removed)
  tx.publish(`access:${removed.app_id}`)
}

/** Restores entitlements of users who were deleted, or of licenses that were. */
export async function restoreEntitlements(
  tx: Tx,
  appId: string,
  removed: readonly Omit<NewEntitlement, 'app_id'>[],
): Promise<void> {
  if (removed.length === 0) return
  const rows = removed.map((row) => ({ ...row, app_id: appId }))
  await insertEntitlements(tx.db, rows)
  tx.publish(`access:${appId}`)
}

/** Takes levels from locked users, whose other entitlements are kept. */
export async function revokeEntitlements(
  tx: Tx,
  appId: string,
  entitlements: readonly { user_id: number; level: number }[],
): Promise<void> {
  for (const { user_id: userId, level } of entitlements) await deleteEntitlement(tx.db, { appId, userId, level })
  tx.publish(`access:${appId}`)
}

/** Converts a duration to add or subtract into seconds; rejects invalid ones. */
export function secondsOf({
  duration,
  unit,
}: {
  duration?: number | undefined
  unit?: DurationUnit | undefined
}): number {
  rejectProblem(entitlementsErrors, timeProblem(duration, unit))
  return durationSeconds(duration as number, unit as DurationUnit)
}

interface AddedTime extends Recorded {
  level: number
  seconds: number
  /** Extends expired entitlements too, starting now. */
  withExpired: boolean
}

/** Adds time to a level of a locked user. */
export async function extendUser(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  { operation, ...time }: AddedTime,
): Promise<void> {
  const { app, now } = context
  await getLevel(tx.db, app.id, time.level)
  const change = { appId: app.id, users: [user], ...time, now }
  await rejectTimeChange(tx, change)
  await extendUsers(tx, change)
  const entry = { target: user.username, details: { ...time }, operations: operationsOf(operation) }
  await recordAudit(tx, context, { act: 'user.extend', ...entry })
}

/** Subtracts time from one or all levels of a locked user; they never end earlier than now. */
export async function subtractFromUser(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  { operation, ...time }: { level: number | undefined; seconds: number } & Recorded,
): Promise<void> {
  const { app, now } = context
  const change = { appId: app.id, users: [user], ...time, now }
  await rejectTimeChange(tx, change)
  await subtractFromUsers(tx, change)
  const entry = { target: user.username, details: { ...time }, operations: operationsOf(operation) }
  await recordAudit(tx, context, { act: 'user.subtract', ...entry })
}

async function rejectTimeChange(tx: Tx, change: TimeChange): Promise<void> {
  const [code] = (await previewTimeChange(tx.db, change)).values()
  if (code) reject(entitlementsErrors, code)
}

export interface TimeChange {
  appId: string
  /** Locked by this transaction, unless the change is only previewed. */
  users: readonly EntitledUser[]
  /** Undefined for all of their entitlements. */
  level?: number | undefined
  seconds: number
  /** When adding time: extends expired entitlements too, starting now. */
  withExpired?: boolean
  now: number
}

/** Users whose time cannot be changed, with the reason, keyed by user ID. */
export async function previewTimeChange(db: Reader, change: TimeChange): Promise<Map<number, TimeRejection>> {
  const { appId, users, level, withExpired = false, now } = change
  const rows = await listEntitlements(db, { appId, userIds: users.map(({ id }) => id), level })
  const byUser = Map.groupBy(rows, (row) => row.user_id)
  const rejected = new Map<number, TimeRejection>()
  for (const user of users) {
    const code = timeRejection(byUser.get(user.id) ?? [], { clock: userClock(user, now), withExpired })
    if (code) rejected.set(user.id, code)
  }
  return rejected
}

/**
 * Takes from licenses what has passed of their time, before entitlements get other ends by hand, whose time isn't theirs.
 * The users are locked.
 */
async function settleShares(
  tx: Tx,
  { appId, users, now }: { appId: string; users: readonly EntitledUser[]; now: number },
  endOf: (row: EntitlementRow, clock: number) => number | null,
): Promise<void> {
  const clocks = new Map(users.map((user) => [user.id, userClock(user, now)]))
  for (const row of await listSharedRows(tx.db, appId, [...clocks.keys()])) {
    const clock = clocks.get(row.user_id) ?? now
    const shares = sharesAtEnd(row, endOf(row, clock), clock)
    if (shares !== row.shares) await updateShares(tx.db, { appId, userId: row.user_id, level: row.level }, shares)
  }
}

/** Sets other ends of entitlements of locked users. */
export async function overwriteExpiry(
  tx: Tx,
  choice: { appId: string; users: readonly EntitledUser[]; now: number },
  entitlements: readonly Entitlement[],
): Promise<void> {
  const ends = new Map(entitlements.map((row) => [`${row.user_id} ${row.level}`, row]))
  await settleShares(tx, choice, (row) => (ends.get(`${row.user_id} ${row.level}`) ?? row).expires_at)
  await restoreExpiry(tx, choice.appId, entitlements)
}

/** Adds time to a level of locked users that `previewTimeChange` did not reject. */
export async function extendUsers(tx: Tx, change: TimeChange & { level: number }): Promise<void> {
  const { level, seconds, withExpired = false } = change
  await settleShares(tx, change, (row, clock) => {
    const { expires_at: end } = row
    if (row.level !== level || end === null || (end <= clock && !withExpired)) return end
    return Math.max(end, clock) + seconds
  })
  await addSeconds(tx.db, { ...change, withExpired, max: maxEpochSeconds })
  tx.publish(`access:${change.appId}`)
}

/** Subtracts time from locked users that the preview did not reject; down to now at most, which counts as expired. */
export async function subtractFromUsers(tx: Tx, change: TimeChange): Promise<void> {
  await subtractSeconds(tx.db, change)
  tx.publish(`access:${change.appId}`)
}

/** Restores the previous end of these entitlements of locked users. */
export async function restoreExpiry(tx: Tx, appId: string, entitlements: readonly FormerEntitlement[]): Promise<void> {
  const userIds = [...new Set(entitlements.map(({ user_id }) => user_id))]
  const current = new Map(
    (await listEntitlements(tx.db, { appId, userIds })).map((row) => [`${row.user_id} ${row.level}`, row.expires_at]),
  )
  // Skips unchanged rows: each write runs a trigger, and undoing a pause changes none of them.
  const changed = entitlements.filter((row) => current.get(`${row.user_id} ${row.level}`) !== row.expires_at)
  for (const [level, rows] of Map.groupBy(changed, (row) => row.level)) {
    await updateExpiryByUser(tx.db, appId, level, new Map(rows.map((row) => [row.user_id, row.expires_at])))
  }
  for (const { user_id: userId, level, held } of entitlements) {
    if (held !== undefined) await updateShares(tx.db, { appId, userId, level }, held)
  }
  tx.publish(`access:${appId}`)
}

/** Restores the time that paused users had left at the pause; call it before clearing the pause. */
export const creditPause = (
  tx: Tx,
  pause: { appId: string; users: readonly EntitledUser[]; now: number },
): Promise<void> => shiftExpiryByPause(tx.db, { ...pause, max: maxEpochSeconds })

/** Takes a level from locked users and returns what they had. */
export async function revokeLevel(
  tx: Tx,
  { appId, level, userIds }: { appId: string; level: number; userIds: readonly number[] },
): Promise<EntitlementRow[]> {
  tx.publish(`access:${appId}`)
  return deleteEntitlementsOfLevel(tx.db, appId, level, userIds)
}

interface TimeGrant {
  appId: string
  /** Locked. */
  userId: number
  level: number
  /** 0 never ends. */
  seconds: number
  /** Null for time given by hand. */
  licenseId: number | null
  now: number
}

/** Gives a user time on a level, after what is left of it or from now. */
export async function grantTime({ db: trx }: Tx, grant: TimeGrant): Promise<void> {
  const { seconds, licenseId: license, now } = grant
  if (await insertGrant(trx, { ...grant, expiresAt: grantEnd(seconds, now) })) return
  const row = await lockEntitlement(trx, grant)
  await updateSharedTime(trx, row, withGrant(row, { license, seconds }, now))
}

/** For users who are being deleted. */
export const deleteEntitlementsOfUsers = (tx: Tx, appId: string, userIds: readonly number[]): Promise<number> =>
  deleteByUsers(tx.db, appId, userIds)
