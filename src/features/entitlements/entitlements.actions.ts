import type { AuditEvent } from '#contract/audit-events.ts'
import { type DurationUnit, durationSeconds, unitSeconds } from '#contract/duration.ts'
import { maxEpochSeconds } from '#contract/fields.ts'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { getLevel, lockLevel } from '#features/levels/levels.actions.ts'
import { type AppContext, recordAudit } from '#server/audit.ts'
import { forgetUndo } from '#server/bulk/undo-log.ts'
import { entitlementsErrors } from './entitlements.errors.ts'
import { type Entitlement, type EntitlementRow, listEntitlements } from './entitlements.reads.ts'
import { secondsLeft, timeProblem, type TimeRejection, timeRejection, userClock } from './entitlements.rules.ts'
import {
  addSeconds,
  deleteByLicenses,
  deleteByUsers,
  deleteEntitlement,
  deleteEntitlementsOfLevel,
  type EntitledUser,
  extendByLicenses,
  insertEntitlement,
  shiftExpiryByPause,
  subtractSeconds,
  updateByLicense,
  updateExpiry,
  updateExpiryByUser,
  updateLicensedExpiry,
  upsertGrant,
} from './entitlements.writes.ts'

export type { EntitledUser }

/** The name stands in the audit log. */
type NamedUser = EntitledUser & { username: string }

const isRunning = (user: EntitledUser, { expires_at }: Entitlement, now: number): boolean =>
  secondsLeft(expires_at, userClock(user, now)) !== 0

async function getEntitlement(db: Reader, user: EntitledUser, level: number): Promise<Entitlement> {
  const [entitlement] = await listEntitlements(db, { appId: user.app_id, userIds: [user.id], level })
  return entitlement ?? reject(entitlementsErrors, 'USER_SUBSCRIPTION_NOT_FOUND')
}

/** Gives a locked user a level for some days. One that still runs is refused; an ended one starts again. */
export async function grantEntitlement(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  { level, days }: { level: number; days: number },
): Promise<Entitlement> {
  const { now } = context
  const { app_id: appId, id: userId } = user
  await lockLevel(tx, appId, level)
  const [entitlement] = await listEntitlements(tx.db, { appId, userIds: [userId], level })
  if (entitlement && isRunning(user, entitlement, now)) reject(entitlementsErrors, 'USER_SUBSCRIPTION_TAKEN')
  const seconds = days * unitSeconds.days
  await upsertGrant(tx.db, { appId, userId, level, seconds, licenseId: null, now: userClock(user, now) })
  tx.publish(`access:${appId}`)
  await recordAudit(tx, context, { act: 'user.add-subscription', target: user.username, details: { level, days } })
  return getEntitlement(tx.db, user, level)
}

export interface EntitlementChange {
  days?: number | undefined
  /** Epoch seconds; null never ends. */
  expiry?: number | null | undefined
  active?: boolean | undefined
}

/** Lets a locked user's entitlement end at another time; not `active` is now. */
export async function changeEntitlement(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  { level, ...change }: EntitlementChange & { level: number },
): Promise<Entitlement> {
  const entitlement = await getEntitlement(tx.db, user, level)
  const expiresAt = changedExpiry(user, entitlement, change, context.now)
  await updateExpiry(tx.db, { appId: user.app_id, userId: user.id, level, expiresAt })
  tx.publish(`access:${user.app_id}`)
  const details = { level, ...change }
  await recordAudit(tx, context, { act: 'user.update-subscription', target: user.username, details })
  return { ...entitlement, expires_at: expiresAt }
}

function changedExpiry(
  user: EntitledUser,
  entitlement: Entitlement,
  change: EntitlementChange,
  now: number,
): number | null {
  const clock = userClock(user, now)
  if (change.active === false) return isRunning(user, entitlement, now) ? clock : entitlement.expires_at
  if (change.days !== undefined) return Math.min(clock + change.days * unitSeconds.days, maxEpochSeconds)
  if (change.expiry === null || change.expiry === 0) return null
  // People see when it would end without the pause; stored is what is left from the pause on.
  if (change.expiry !== undefined) return Math.max(0, change.expiry - (now - clock))
  if (change.active === true && isRunning(user, entitlement, now)) return entitlement.expires_at
  return reject(entitlementsErrors, 'DURATION_REQUIRED')
}

/** In the audit log and the undo log. */
export const entitlementRemoval = 'user.remove-subscription' satisfies AuditEvent

/** Takes a level from a locked user; the user's other entitlements stay. Gives the row that it was. */
export async function removeEntitlement(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  level: number,
): Promise<EntitlementRow> {
  const removed = await deleteEntitlement(tx.db, { appId: user.app_id, userId: user.id, level })
  if (!removed) reject(entitlementsErrors, 'USER_SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${user.app_id}`)
  await recordAudit(tx, context, { act: entitlementRemoval, target: user.username, details: { level } })
  return removed
}

/** Gives a locked user back what was taken: its end and the license that it came from, whose ban still counts. */
export async function restoreEntitlement(tx: Tx, removed: EntitlementRow): Promise<void> {
  await insertEntitlement(tx.db, removed)
  tx.publish(`access:${removed.app_id}`)
}

/** The seconds of a length of time that is to be added or taken. */
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

interface AddedTime {
  level: number
  seconds: number
  /** Ended entitlements run from now. */
  withExpired: boolean
}

/** Adds time to a level of a locked user. */
export async function extendUser(tx: Tx, context: AppContext, user: NamedUser, time: AddedTime): Promise<void> {
  const { app, now } = context
  await getLevel(tx.db, app.id, time.level)
  const change = { appId: app.id, users: [user], ...time, now }
  await rejectTimeChange(tx, change)
  await extendUsers(tx, change)
  await recordAudit(tx, context, { act: 'user.extend', target: user.username, details: { ...time } })
}

/** Takes time from a locked user, of one level or of all; it ends now at the earliest. */
export async function subtractFromUser(
  tx: Tx,
  context: AppContext,
  user: NamedUser,
  time: { level: number | undefined; seconds: number },
): Promise<void> {
  const { app, now } = context
  const change = { appId: app.id, users: [user], ...time, now }
  await rejectTimeChange(tx, change)
  await subtractFromUsers(tx, change)
  await recordAudit(tx, context, { act: 'user.subtract', target: user.username, details: { ...time } })
}

async function rejectTimeChange(tx: Tx, change: TimeChange): Promise<void> {
  const [code] = (await previewTimeChange(tx.db, change)).values()
  if (code) reject(entitlementsErrors, code)
}

export interface TimeChange {
  appId: string
  /** Locked by this transaction, unless the change is only previewed. */
  users: readonly EntitledUser[]
  /** Without a level all of their entitlements. */
  level?: number | undefined
  seconds: number
  /** Adding: ended entitlements run from now. */
  withExpired?: boolean
  now: number
}

/** Whose time can't be changed, and why, by user id. */
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

/** Adds time to a level of locked users whose preview refused nothing. */
export async function extendUsers(tx: Tx, change: TimeChange & { level: number }): Promise<void> {
  await addSeconds(tx.db, { ...change, withExpired: change.withExpired ?? false, max: maxEpochSeconds })
  tx.publish(`access:${change.appId}`)
}

/** Takes time from locked users whose preview refused nothing; it ends now at the earliest, which counts as expired. */
export async function subtractFromUsers(tx: Tx, change: TimeChange): Promise<void> {
  await subtractSeconds(tx.db, change)
  tx.publish(`access:${change.appId}`)
}

/** Lets these entitlements of locked users end when they once did. */
export async function restoreExpiry(tx: Tx, appId: string, entitlements: readonly Entitlement[]): Promise<void> {
  const userIds = [...new Set(entitlements.map(({ user_id }) => user_id))]
  const current = new Map(
    (await listEntitlements(tx.db, { appId, userIds })).map((row) => [`${row.user_id} ${row.level}`, row.expires_at]),
  )
  // Each row that is written costs a trigger, and undoing a pause finds them all as they were.
  const changed = entitlements.filter((row) => current.get(`${row.user_id} ${row.level}`) !== row.expires_at)
  for (const [level, rows] of Map.groupBy(changed, (row) => row.level)) {
    await updateExpiryByUser(tx.db, appId, level, new Map(rows.map((row) => [row.user_id, row.expires_at])))
  }
  tx.publish(`access:${appId}`)
}

/** Gives paused users back what was left when they were paused; to be done before the pause is cleared. */
export const creditPause = (
  tx: Tx,
  pause: { appId: string; users: readonly EntitledUser[]; now: number },
): Promise<void> => shiftExpiryByPause(tx.db, { ...pause, max: maxEpochSeconds })

/** Takes a level from up to `limit` users; gives from how many. */
export async function revokeLevel(
  tx: Tx,
  { appId, level, limit }: { appId: string; level: number; limit: number },
): Promise<number> {
  tx.publish(`access:${appId}`)
  return deleteEntitlementsOfLevel(tx.db, appId, level, limit)
}

/** What redeeming a license gives. 0 seconds never ends. */
export const grantByLicense = (
  tx: Tx,
  grant: { appId: string; userId: number; level: number; seconds: number; licenseId: number; now: number },
): Promise<void> => upsertGrant(tx.db, grant)

/** Time added to licenses is added to what they gave. */
export const extendLicensedTime = (
  tx: Tx,
  change: { appId: string; licenseIds: readonly number[]; seconds: number },
): Promise<void> => extendByLicenses(tx.db, { ...change, max: maxEpochSeconds })

/** An edit of a license changes what it gave. */
export const changeLicensedEntitlement = (
  tx: Tx,
  appId: string,
  licenseId: number,
  change: { level?: number; expires_at?: number | null },
): Promise<void> => updateByLicense(tx.db, appId, licenseId, change)

/** Takes back what these licenses gave: deleting a banned license must not lift its ban. */
export async function revokeLicensed(tx: Tx, appId: string, licenseIds: readonly number[]): Promise<void> {
  await deleteByLicenses(tx.db, appId, licenseIds)
  await forgetRemovals(tx, appId, licenseIds)
}

/** Undoing must not give back what a license gave that is deleted since: no ban could stop it any more. */
export async function forgetRemovals(tx: Tx, appId: string, licenseIds: readonly number[]): Promise<void> {
  const gone = new Set(licenseIds)
  await forgetUndo<{ entitlement: EntitlementRow }>(tx, {
    appId,
    act: entitlementRemoval,
    matches: ({ before }) => gone.has(before.entitlement.license_id ?? 0),
  })
}

/** For users who are being deleted. */
export const deleteEntitlementsOfUsers = (tx: Tx, appId: string, userIds: readonly number[]): Promise<number> =>
  deleteByUsers(tx.db, appId, userIds)

/** Undoes time that was added to licenses: what they gave ends again when it did. */
export const restoreLicensedExpiry = (
  tx: Tx,
  appId: string,
  expiry: ReadonlyMap<number, number | null>,
): Promise<void> => updateLicensedExpiry(tx.db, appId, expiry)
