import type { AuditEvent } from '#contract/audit-events.ts'
import type { Tx } from '#database/database.ts'
import {
  type EntitlementRow,
  findEntitlement,
  listEntitlementRows,
  listLicensedRows,
} from '#features/entitlements/entitlements.reads.ts'
import { hasShare, licensesOfShares, type SharedTime } from '#features/entitlements/license-shares.rules.ts'
import { restoreLicensedTime, returnToLevel } from '#features/entitlements/licensed-time.actions.ts'
import type { KeptTime } from '#features/entitlements/kept-time.rules.ts'
import { lockLevels } from '#features/levels/levels.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import type { UndoActions } from '#server/bulk/undo.ts'
import { changeRowsUndoably, changeUndoably, type RowStates } from '#server/bulk/undo-log.ts'
import { changeKeptTime, keptTimes } from './deleted-redeemers.actions.ts'
import { addTimeToLicense, addTimeToLicenses, type TimeToAdd } from './license-time.actions.ts'
import {
  canMoveTo,
  licensedChange,
  type LicenseEdit,
  lockLicense,
  lockLicenses,
  lockRedeemers,
  moveLicensed,
  setLicensesBanned,
  updateLicense,
} from './licenses.actions.ts'
import { findLicensesById, type License } from './licenses.reads.ts'
import { lockLicenseRows, restoreLicenseRows, updateLicenseRows } from './licenses.writes.ts'

/** State needed to undo an action on a license: only the columns it changes. */
export interface LicenseState {
  banned?: number
  durationSeconds?: number
  expiresAt?: number | null
  /** Expiry of the entitlement the license granted alone; absent if there is none. */
  entitlementExpiresAt?: number | null
  /** The entitlement to which other licenses gave time as well, or to which only others did. */
  entitlementTime?: SharedTime
  /** What a user in the bin has of it. */
  keptTime?: KeptTime
  notes?: string
  level?: number
  /** Level of the entitlement the license granted; null if there is none. */
  entitlementLevel?: number | null
  /** The other licenses that gave time to that entitlement; absent if there are none. */
  entitlementLicenses?: number[]
}

export async function bannedStates(tx: Tx, appId: string, ids: readonly number[]): Promise<Map<number, LicenseState>> {
  const rows = await findLicensesById(tx.db, appId, ids)
  return new Map(rows.map(({ id, banned }) => [id, { banned }]))
}

export async function timeStates(tx: Tx, appId: string, ids: readonly number[]): Promise<Map<number, LicenseState>> {
  const rows = await findLicensesById(tx.db, appId, ids)
  const granted = await listLicensedRows(tx.db, appId, rows)
  const beside = await rowsBeside(
    tx,
    appId,
    rows.filter(({ id }) => !granted.has(id)),
  )
  const kept = await keptTimes(tx, appId, rows)
  return new Map(
    rows.map(({ id, duration_seconds: durationSeconds, expires_at: expiresAt }) => {
      const keptTime = kept.get(id)
      const ofUser = grantedTime(granted.get(id)) ?? sharedTime(beside.get(id))
      return [id, { durationSeconds, expiresAt, ...ofUser, ...(keptTime && { keptTime }) }]
    }),
  )
}

/** What users have of the level of these licenses, which were used up before it was granted: they can get a share of it. */
async function rowsBeside(tx: Tx, appId: string, licenses: readonly License[]): Promise<Map<number, EntitlementRow>> {
  const userIds = [...new Set(licenses.flatMap(({ used_by_user_id: user }) => user ?? []))]
  const byUser = Map.groupBy(await listEntitlementRows(tx.db, appId, userIds), ({ user_id }) => user_id)
  return new Map(
    licenses.flatMap(({ id, level, used_by_user_id: user }) => {
      const row = byUser.get(user ?? 0)?.find((each) => each.level === level)
      return row ? [[id, row] as const] : []
    }),
  )
}

const grantedTime = (row: SharedTime | undefined): LicenseState | undefined =>
  row?.shares === null ? { entitlementExpiresAt: row.expires_at } : sharedTime(row)

function sharedTime(row: SharedTime | undefined): LicenseState | undefined {
  if (!row) return undefined
  const { expires_at, license_id, shares } = row
  return { entitlementTime: { expires_at, license_id, shares } }
}

interface EditedFields {
  notes?: unknown
  level?: unknown
  durationSeconds?: unknown
}

/** Current state of a license, as far as an edit of these fields changes it. */
async function editedState(tx: Tx, appId: string, id: number, edit: EditedFields): Promise<LicenseState | undefined> {
  const [license] = await findLicensesById(tx.db, appId, [id])
  if (!license) return undefined
  const granted = edit.level === undefined ? undefined : (await listLicensedRows(tx.db, appId, [license])).get(id)
  const others = granted ? licensesOfShares(granted).filter((other) => other !== id) : []
  return {
    ...(edit.notes !== undefined && { notes: license.notes }),
    ...(edit.level !== undefined && { level: license.level, entitlementLevel: granted?.level ?? null }),
    ...(others.length > 0 && { entitlementLicenses: others }),
    ...(edit.durationSeconds !== undefined && (await timeStates(tx, appId, [id])).get(id)),
  }
}

/** The license as it is now; `undoId` is null if nothing changed. */
interface Changed {
  license: License
  undoId: string | null
}

async function lockWithRedeemer(tx: Tx, appId: string, key: string): Promise<License> {
  const license = await lockLicense(tx, appId, key)
  await lockRedeemers(tx, appId, [license])
  return license
}

/** Changes a license, so that undo restores it together with the entitlement it granted. */
export async function updateLicenseUndoably(tx: Tx, context: AppContext, edit: LicenseEdit): Promise<Changed> {
  const { id: appId } = context.app
  const { id } = await lockWithRedeemer(tx, appId, edit.license)
  const { notes, level, expiry: durationSeconds } = edit.change
  const state = () => editedState(tx, appId, id, { notes, level, durationSeconds })
  const { result, undoId } = await changeUndoably(tx, context, { act: 'license.update', id, state }, (operation) =>
    updateLicense(tx, context, { ...edit, operation }),
  )
  return { license: result, undoId }
}

/** Adds time to a license, so that undo takes it back. */
export async function addTimeUndoably(
  tx: Tx,
  context: AppContext,
  time: TimeToAdd & { license: string },
): Promise<Changed> {
  const { id: appId } = context.app
  const { id } = await lockWithRedeemer(tx, appId, time.license)
  const state = async () => (await timeStates(tx, appId, [id])).get(id)
  const { result, undoId } = await changeUndoably(tx, context, { act: 'license.add-time', id, state }, (operation) =>
    addTimeToLicense(tx, context, { ...time, operation }),
  )
  return { license: result, undoId }
}

/** Adds time to the existing ones of these licenses, so that undo takes it back from all of them. */
export async function addTimeToLicensesUndoably(
  tx: Tx,
  context: AppContext,
  time: TimeToAdd & { licenses: readonly string[] },
): Promise<{ updated: number; skipped: number; undoId: string | null }> {
  const { id: appId } = context.app
  const licenses = await lockLicenses(tx, appId, time.licenses)
  await lockRedeemers(tx, appId, licenses)
  const ids = licenses.map(({ id }) => id)
  const states = () => timeStates(tx, appId, ids)
  const { result, undoId } = await changeRowsUndoably(tx, context, { act: 'license.add-time', states }, (operation) =>
    addTimeToLicenses(tx, context, { ...time, operation }),
  )
  return { ...result, undoId }
}

async function statesOfEdits(
  tx: Tx,
  appId: string,
  recorded: readonly RowStates<LicenseState>[],
): Promise<Map<number, LicenseState>> {
  const states = new Map<number, LicenseState>()
  const existing = await lockLevels(
    tx,
    appId,
    recorded.flatMap(({ before }) => before.level ?? []),
  )
  /** Whether the license can have the level again: it still exists, and the user has it from nowhere else. */
  async function canHave(id: number, before: LicenseState): Promise<boolean> {
    const { level } = before
    if (level === undefined) return true
    const [license] = await findLicensesById(tx.db, appId, [id])
    if (license === undefined || !existing.has(level)) return false
    return (await canMoveTo(tx, license, level)) || (await isSharedWith(tx, license, before))
  }
  for (const { id, before, after } of recorded) {
    const state = await editedState(tx, appId, id, after)
    if (state && (await canHave(id, before))) states.set(id, state)
  }
  return states
}

/** Whether the user has that level from a license that gave time to it together with this one. */
async function isSharedWith(tx: Tx, license: License, { level, entitlementLicenses = [] }: LicenseState) {
  const { app_id: appId, used_by_user_id: userId } = license
  if (userId === null || level === undefined) return false
  const row = await findEntitlement(tx.db, { appId, userId, level })
  return row !== undefined && entitlementLicenses.some((other) => hasShare(row, other))
}

/** For users in the bin. */
async function restoreKeptTime(
  tx: Tx,
  at: { appId: string; now: number },
  states: readonly { id: number; state: LicenseState }[],
): Promise<void> {
  const former = new Map(states.flatMap(({ id, state: { keptTime } }) => (keptTime ? [[Number(id), keptTime]] : [])))
  const licenses = await findLicensesById(tx.db, at.appId, [...former.keys()])
  await changeKeptTime(tx, await licensedChange(tx, at, licenses), (rows, { license }) =>
    rows.map((row) => (hasShare(row, license) ? { ...row, ...former.get(license) } : row)),
  )
}

const edited = 'license.update' satisfies AuditEvent
const banActs: readonly AuditEvent[] = ['license.bulk-ban', 'license.bulk-unban']

/** Undoes a ban, an unban, added time, or an edit. */
export const undoLicenseActions = ({ app: { id: appId }, now }: AppContext): UndoActions<LicenseState> => ({
  events: [...banActs, 'license.bulk-add-time', 'license.add-time', edited],
  noun: 'licenses',
  async lock(tx, _act, ids) {
    const licenses = await lockLicenseRows(tx.db, appId, { ids })
    await lockRedeemers(tx, appId, licenses)
    return licenses.map(({ id, license: name }) => ({ id, name }))
  },
  snapshot: (tx, act, recorded) => {
    if (act === edited) return statesOfEdits(tx, appId, recorded)
    const ids = recorded.map(({ id }) => id)
    return banActs.includes(act) ? bannedStates(tx, appId, ids) : timeStates(tx, appId, ids)
  },
  async restore(tx, act, states) {
    if (banActs.includes(act)) {
      for (const banned of [true, false]) {
        const ids = states.filter(({ state }) => (state.banned === 1) === banned).map(({ id }) => id)
        await setLicensesBanned(tx, { appId, ids, banned, now })
      }
      return
    }
    for (const { id, state } of states) {
      const { notes, level } = state
      if (notes !== undefined) await updateLicenseRows(tx.db, appId, [id], { notes })
      if (level === undefined) continue
      await updateLicenseRows(tx.db, appId, [id], { level })
      for (const license of await findLicensesById(tx.db, appId, [id])) {
        const change = await licensedChange(tx, { appId, now }, [license])
        if (await isSharedWith(tx, license, state)) await returnToLevel(tx, change, { license, level })
        else await moveLicensed(tx, change, level)
      }
    }
    await restoreKeptTime(tx, { appId, now }, states)
    const of = (pick: (state: LicenseState) => number | null | undefined) =>
      new Map(
        states.flatMap(({ id, state }) => (pick(state) === undefined ? [] : [[id, pick(state) as number | null]])),
      )
    await restoreLicenseRows(
      tx.db,
      appId,
      'duration_seconds',
      of(({ durationSeconds }) => durationSeconds),
    )
    await restoreLicenseRows(
      tx.db,
      appId,
      'expires_at',
      of(({ expiresAt }) => expiresAt),
    )
    const shared = new Map(
      states.flatMap(({ id, state: { entitlementTime } }) => (entitlementTime ? [[id, entitlementTime]] : [])),
    )
    await restoreLicensedTime(tx, appId, {
      alone: of(({ entitlementExpiresAt }) => entitlementExpiresAt),
      shared: (await findLicensesById(tx.db, appId, [...shared.keys()])).map((license) => ({
        ...license,
        time: shared.get(license.id) as SharedTime,
      })),
    })
    tx.publish(`access:${appId}`)
  },
})
