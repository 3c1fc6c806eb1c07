import { lostSubscriptions } from '#contract/bin.ts'
import { callError, type CallError } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { restoreEntitlements, revokeEntitlements } from '#features/entitlements/entitlements.actions.ts'
import {
  type EntitlementRow,
  listEntitlementRows,
  type RevokedEntitlement,
} from '#features/entitlements/entitlements.reads.ts'
import { pausesOf, resumedEntitlement, userClock } from '#features/entitlements/entitlements.rules.ts'
import { licensesOfShares, reconciled, takenTime } from '#features/entitlements/license-shares.rules.ts'
import { levelsErrors } from '#features/levels/levels.errors.ts'
import { lockLevels, restoreLevel } from '#features/levels/levels.actions.ts'
import type { Level } from '#features/levels/levels.reads.ts'
import { lockLicensesById } from '#features/licenses/licenses.actions.ts'
import { lockUsersById } from '#features/users/users.actions.ts'
import type { User } from '#features/users/users.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { type DeletedRow, newRowNumber, putInBin } from '#server/bin/bin-items.ts'

export interface DeletedSubscription {
  subscription: Omit<Level, 'app_id'>
  /** Number of users who lost it. */
  users: number
  /** IDs in the bin of what they lost. */
  parts: number[]
}

/** What users lost in one transaction of the deletion of their level. */
export interface LostSubscriptions {
  entitlements: Omit<EntitlementRow, 'app_id'>[]
  /** From `pausesOf`. */
  pausedAt?: Record<number, number>
}

/** Puts a locked level into the bin. Its number isn't the ID there, because the next level may get the same one. */
export function putLevelInBin(
  tx: Tx,
  context: AppContext,
  { level, operation, ...lost }: { level: Level; users: number; parts: number[]; operation: string },
): Promise<void> {
  const { app_id: _app, ...subscription } = level
  const content: DeletedSubscription = { subscription, ...lost }
  const rows = [{ id: newRowNumber(), name: level.name, content }]
  return putInBin(tx, context, { kind: 'subscription', operation, rows })
}

/** Puts what locked users lose into the bin, with the name of the level; returns its ID there. */
export async function putLostInBin(
  tx: Tx,
  context: AppContext,
  {
    name,
    entitlements,
    users,
    operation,
  }: { name: string; entitlements: readonly EntitlementRow[]; users: readonly User[]; operation: string },
): Promise<number> {
  const id = newRowNumber()
  const content: LostSubscriptions = {
    entitlements: entitlements.map(({ app_id: _app, ...row }) => row),
    pausedAt: pausesOf(users, context.now),
  }
  await putInBin(tx, context, { kind: lostSubscriptions, operation, rows: [{ id, name, content }] })
  return id
}

/** Restores deleted levels unless their number is taken again. */
export async function restoreSubscriptions(
  tx: Tx,
  { app }: AppContext,
  deleted: readonly DeletedRow<DeletedSubscription>[],
): Promise<Map<number, CallError>> {
  const problems = new Map<number, CallError>()
  // In a fixed order, to prevent deadlocks.
  const levelOf = ({ content }: DeletedRow<DeletedSubscription>) => content.subscription.level
  for (const row of deleted.toSorted((one, other) => levelOf(one) - levelOf(other))) {
    const isRestored = await restoreLevel(tx, { ...row.content.subscription, app_id: app.id })
    if (!isRestored) problems.set(row.id, callError(levelsErrors, 'SUBSCRIPTION_LEVEL_TAKEN'))
  }
  return problems
}

export interface RestoredLost {
  /** Why some were not restored, keyed by the ID that they have in the bin. */
  problems: Map<number, CallError>
  /** What users of the app had by licenses that don't exist now. */
  withoutLicense: RevokedEntitlement[]
  /** What users had who don't exist now. */
  withoutUser: RevokedEntitlement[]
}

/** Gives users back what they lost with a level, where that is more than what they have of it now. */
export async function restoreLost(
  tx: Tx,
  { app: { id: appId }, now }: AppContext,
  deleted: readonly DeletedRow<LostSubscriptions>[],
): Promise<RestoredLost> {
  const rowsOf = ({ content }: DeletedRow<LostSubscriptions>) =>
    content.entitlements.map((row) => ({
      ...row,
      app_id: appId,
      paused_at: content.pausedAt?.[row.user_id],
    }))
  const all = deleted.flatMap(rowsOf)
  const levels = await lockLevels(
    tx,
    appId,
    all.map(({ level }) => level),
  )
  const withoutLevel = deleted.filter((each) => !rowsOf(each).every(({ level }) => levels.has(level)))
  const problems = new Map(withoutLevel.map(({ id }) => [id, callError(levelsErrors, 'SUBSCRIPTION_NOT_FOUND')]))
  const possible = deleted.filter(({ id }) => !problems.has(id)).flatMap(rowsOf)
  const licenseIds = [...new Set(possible.flatMap(licensesOfShares))]
  const locked = licenseIds.length > 0 ? await lockLicensesById(tx, appId, licenseIds) : []
  const licenses = new Map(locked.map((license) => [Number(license.id), license]))
  const hasLicense = ({ license_id, shares }: EntitlementRow) =>
    Boolean(shares) || license_id === null || licenses.has(Number(license_id))
  const granted = possible.filter(hasLicense)
  const userIds = [...new Set(granted.map(({ user_id }) => user_id))]
  const users = new Map((await lockUsersById(tx, appId, userIds)).map((user) => [Number(user.id), user]))
  const current = new Map((await listEntitlementRows(tx.db, appId, [...users.keys()])).map((row) => [keyOf(row), row]))
  const withoutLicense: RevokedEntitlement[] = possible.filter((row) => !hasLicense(row))
  const back = granted
    .flatMap((lost) => {
      const user = users.get(Number(lost.user_id))
      if (!user) return []
      const row = resumedEntitlement(lost, user, now)
      const clock = userClock(user, now)
      const { time, taken } = reconciled(row, licenses, clock)
      const whose = { ...row, paused_at: user.paused_at ?? undefined }
      withoutLicense.push(...taken.map((share) => ({ ...whose, ...takenTime(share, clock) })))
      return time ? [{ ...row, ...time }] : []
    })
    .filter((row) => {
      const held = current.get(keyOf(row))
      if (!held) return true
      // A ban of the license would stop a user who may run now.
      return licenses.get(Number(row.license_id))?.banned !== 1 && endsLater(row, held)
    })
  const replaced = back.filter((row) => current.has(keyOf(row)))
  if (replaced.length > 0) await revokeEntitlements(tx, appId, replaced)
  await restoreEntitlements(tx, appId, back)
  return {
    problems,
    withoutLicense,
    withoutUser: granted.filter(({ user_id }) => !users.has(Number(user_id))),
  }
}

const keyOf = ({ user_id, level }: EntitlementRow): string => `${user_id} ${level}`

export const endsLater = (
  one: Pick<EntitlementRow, 'expires_at'>,
  other: Pick<EntitlementRow, 'expires_at'>,
): boolean => (one.expires_at ?? Infinity) > (other.expires_at ?? Infinity)
