import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import type { Tx } from '#database/database.ts'
import { restoreEntitlements } from './entitlements.actions.ts'
import { forgetRemovals } from './outdated-undo.actions.ts'
import {
  type EntitlementRow,
  listEntitlementRows,
  listLicensedRows,
  listSharedRows,
  type RedeemedLicense,
  type RevokedEntitlement,
} from './entitlements.reads.ts'
import { type ChangedDuration, movedEnd, userClock } from './entitlements.rules.ts'
import {
  deleteByLicenses,
  deleteEntitlement,
  type EntitledUser,
  extendByLicenses,
  insertEntitlement,
  updateByLicense,
  updateLicensedExpiry,
  updateSharedTime,
} from './entitlements.writes.ts'
import {
  hasShare,
  type SharedTime,
  takenTime,
  withBan,
  withBans,
  withDeleted,
  withDuration,
  withoutLicense,
  withSeconds,
  withUsedUp,
  withRestored,
} from './license-shares.rules.ts'

// What licenses granted, once they were redeemed. An entitlement that one license granted names it, and changes in one
// statement for many licenses; one to which several gave time is computed anew from their shares.

interface LicenseOfLevel extends RedeemedLicense {
  level: number
  banned: number
}

/** Locked licenses of one app, and the users who redeemed them, locked as well. */
export interface LicensedChange<L extends RedeemedLicense = RedeemedLicense> {
  appId: string
  licenses: readonly L[]
  users: readonly EntitledUser[]
  now: number
}

const keyOf = (row: Pick<EntitlementRow, 'user_id' | 'level'>): string => `${row.user_id} ${row.level}`

/** Changes the entitlements to which several licenses gave time, these among them. */
async function changeShares(
  tx: Tx,
  { appId, licenses, users, now }: LicensedChange,
  change: (time: SharedTime, license: number, clock: number) => SharedTime,
): Promise<void> {
  const rows = await listSharedRows(
    tx.db,
    appId,
    users.map(({ id }) => id),
  )
  const userOf = new Map(users.map((user) => [user.id, user]))
  for (const row of rows) {
    const clock = userClock(userOf.get(row.user_id) as EntitledUser, now)
    const own = licenses.filter(({ id, used_by_user_id: user }) => user === row.user_id && hasShare(row, id))
    const time = own.reduce<SharedTime>((changed, { id }) => change(changed, id, clock), row)
    if (time !== row) await updateSharedTime(tx.db, row, time)
  }
}

/**
 * Gives licenses that were used up before their users were granted time again a share of that time, to which their own can
 * be added. `bannedOf` returns the banned ones of these licenses: where one alone gave the time, its ban isn't in the row.
 */
export async function shareUsedUp(
  tx: Tx,
  { appId, licenses, users, now }: LicensedChange<LicenseOfLevel>,
  bannedOf: (ids: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<void> {
  const granted = await listLicensedRows(tx.db, appId, licenses)
  const usedUp = licenses.filter(({ id }) => !granted.has(id)).toSorted((one, other) => other.id - one.id)
  const userOf = new Map(users.map((user) => [user.id, user]))
  const userIds = new Set(usedUp.flatMap(({ used_by_user_id: user }) => user ?? [])).intersection(userOf)
  const ofRow = ({ user_id, level }: EntitlementRow) =>
    usedUp.filter((license) => license.used_by_user_id === user_id && license.level === level)
  const rows = (await listEntitlementRows(tx.db, appId, [...userIds])).filter((row) => ofRow(row).length > 0)
  const banned = await bannedOf(rows.flatMap(({ license_id: id, shares }) => (id === null || shares ? [] : [id])))
  for (const row of rows) {
    const clock = userClock(userOf.get(row.user_id) as EntitledUser, now)
    const { license_id: alone } = row
    const shared = ofRow(row).reduce<SharedTime>(
      (time, { id, banned: isBanned }) => withUsedUp(time, id, isBanned === 1, clock),
      row,
    )
    const time = alone !== null && banned.has(alone) ? withBan(shared, alone, true, clock) : shared
    await updateSharedTime(tx.db, row, time)
  }
}

/** Adds time to what these licenses granted, except for lifetimes. */
export async function extendLicensedTime(tx: Tx, change: LicensedChange & { seconds: number }): Promise<void> {
  const { appId, licenses, seconds } = change
  const licenseIds = licenses.map(({ id }) => id)
  await extendByLicenses(tx.db, { appId, licenseIds, seconds, max: maxEpochSeconds })
  await changeShares(tx, change, (time, license, clock) => withSeconds(time, license, seconds, clock))
}

/** Takes the time of banned licenses from what others gave time to as well, or gives it back. */
export const holdLicensedTime = (tx: Tx, change: LicensedChange & { isBanned: boolean }): Promise<void> =>
  changeShares(tx, change, (time, license, clock) => withBan(time, license, change.isBanned, clock))

/** Applies another duration of a license to what it granted. */
export async function changeLicensedDuration(tx: Tx, change: LicensedChange, duration: ChangedDuration): Promise<void> {
  for (const [id, { expires_at: end }] of await listLicensedRows(tx.db, change.appId, change.licenses)) {
    await updateByLicense(tx.db, change.appId, id, { expires_at: movedEnd(end, duration) })
  }
  await changeShares(tx, change, (time, license, clock) => withDuration(time, license, duration, clock))
}

/**
 * Returns what a license granted to the level from which it was moved, where other licenses have given the user time as
 * well.
 */
export async function returnToLevel(
  tx: Tx,
  change: LicensedChange,
  { license, level }: { license: RedeemedLicense & { banned: number }; level: number },
): Promise<void> {
  const [row] = (await listLicensedRows(tx.db, change.appId, [license])).values()
  if (!row || row.level === level) return
  const taken = await takeShares(tx, row, { ...change, licenses: [license] }, withoutLicense)
  const revoked = taken.map(({ share: _share, ...each }) => ({ ...each, level }))
  await restoreLicensed(tx, change, { revoked, licenses: new Map([[Number(license.id), license]]) })
}

/** Moves what a license granted to another level, which its user doesn't have. */
export async function changeLicensedLevel(tx: Tx, change: LicensedChange, level: number): Promise<void> {
  for (const { id } of change.licenses) await updateByLicense(tx.db, change.appId, id, { level })
  const { licenses, ...rest } = change
  for (const license of licenses) {
    const [row] = (await listLicensedRows(tx.db, change.appId, [license])).values()
    if (!row || row.shares === null) continue
    const taken = await takeShares(tx, row, { ...rest, licenses: [license] }, withoutLicense)
    for (const { share: _share, ...part } of taken) await insertEntitlement(tx.db, { ...part, level })
  }
}

/**
 * Revokes what these licenses granted, and returns it: deleting a banned license must not lift its ban. Where others
 * gave time as well, only what these have left.
 */
export async function revokeLicensed(tx: Tx, change: LicensedChange): Promise<RevokedEntitlement[]> {
  const { appId, licenses } = change
  const ids = licenses.map(({ id }) => id)
  const granted = [...(await listLicensedRows(tx.db, appId, licenses)).values()]
  const revoked: RevokedEntitlement[] = granted.filter(({ shares }) => shares === null)
  const shared = new Map(granted.filter(({ shares }) => shares !== null).map((row) => [keyOf(row), row]))
  for (const row of shared.values()) revoked.push(...(await takeShares(tx, row, change, withDeleted)))
  await deleteByLicenses(tx.db, appId, ids)
  await forgetRemovals(tx, appId, ids)
  return revoked
}

/**
 * Takes what these licenses have left of an entitlement. With the last one that is deleted goes all of it: restored alone,
 * it is as it was.
 */
async function takeShares(
  tx: Tx,
  row: EntitlementRow,
  { licenses, users, now }: LicensedChange,
  taking: typeof withDeleted,
): Promise<RevokedEntitlement[]> {
  const user = users.find(({ id }) => id === row.user_id)
  const clock = user ? userClock(user, now) : now
  const { app_id, user_id, level, created_at } = row
  const revoked: RevokedEntitlement[] = []
  let time: SharedTime | undefined = row
  for (const { id } of licenses) {
    if (time === undefined || !hasShare(time, id)) continue
    const { time: rest, taken } = taking(time, id, clock)
    if (rest === undefined && (time.shares === null || taking === withDeleted))
      revoked.push({ ...row, ...time, license_id: id })
    else if (taken) revoked.push({ app_id, user_id, level, created_at, ...takenTime(taken, clock) })
    time = rest
  }
  if (time === undefined) await deleteEntitlement(tx.db, { appId: app_id, userId: user_id, level })
  else await updateSharedTime(tx.db, row, time)
  return revoked
}

/**
 * Restores what licenses granted to locked users: beside what other licenses give them of that level, or alone. `licenses`
 * has the bans of all of them, by ID.
 */
export async function restoreLicensed(
  tx: Tx,
  { appId, users, now }: Omit<LicensedChange, 'licenses'>,
  { revoked, licenses }: { revoked: readonly RevokedEntitlement[]; licenses: ReadonlyMap<number, { banned: number }> },
): Promise<void> {
  const userOf = new Map(users.map((user) => [user.id, user]))
  const current = new Map((await listEntitlementRows(tx.db, appId, [...userOf.keys()])).map((row) => [keyOf(row), row]))
  const added = new Set<string>()
  const changed = new Set<string>()
  for (const each of revoked) {
    const { share: _share, ...row } = each
    const user = userOf.get(row.user_id)
    if (!user) continue
    const key = keyOf(row)
    const clock = userClock(user, now)
    const other = current.get(key)
    if (other) {
      const time = withRestored(other, { shares: null, ...each }, clock)
      current.set(key, { ...other, ...withBans(time, licenses, clock) })
      changed.add(key)
    } else {
      current.set(key, { shares: null, ...row })
      added.add(key)
    }
  }
  const rowsOf = (keys: Iterable<string>) => [...keys].map((key) => current.get(key) as EntitlementRow)
  await restoreEntitlements(tx, appId, rowsOf(added))
  for (const row of rowsOf(changed.difference(added))) await updateSharedTime(tx.db, row, row)
}

/** Undoes time added to licenses: restores what they granted alone, and what they granted with others. */
export async function restoreLicensedTime(
  tx: Tx,
  appId: string,
  {
    alone,
    shared,
  }: { alone: ReadonlyMap<number, number | null>; shared: readonly (RedeemedLicense & { time: SharedTime })[] },
): Promise<void> {
  await updateLicensedExpiry(tx.db, appId, alone)
  const rows = await listLicensedRows(tx.db, appId, shared)
  for (const { id, time } of shared) {
    const row = rows.get(id)
    if (row) await updateSharedTime(tx.db, row, time)
  }
}
