import type { AuditEvent } from '#contract/audit-events.ts'
import { durationSeconds } from '#contract/duration.ts'
import { reject, rejectProblem } from '#contract/errors.ts'
import type { Database, Tx } from '#database/database.ts'
import { restoreLicensedExpiry } from '#features/entitlements/entitlements.actions.ts'
import { listLicensedExpiry } from '#features/entitlements/entitlements.reads.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import type { BulkAction, BulkRows, RowOutcome, UndoActions } from '#server/bulk/bulk.ts'
import { addTimeToRows, type DeleteChoice, deleteLicenses, setLicensesBanned } from './licenses.actions.ts'
import { listKeysAfter } from './license-batches.reads.ts'
import { countFiltered, findLicensesById, type License, type LicenseFilter, stillMatches } from './licenses.reads.ts'
import { licensesErrors } from './licenses.errors.ts'
import { addTimeProblem, type ExpiryUnit } from './licenses.rules.ts'
import { lockLicenseRows, restoreLicenseRows } from './licenses.writes.ts'

/** How bulk actions find and lock licenses. */
export function licenseRows(db: Database, { app, now }: AppContext): BulkRows<License, LicenseFilter> {
  const appId = app.id
  return {
    noun: 'licenses',
    lock: (tx, choice) => lockLicenseRows(tx.db, appId, choice),
    stillMatches: (_tx, rows, filter) => stillMatches(rows, filter, now),
    list: (filter, page) => listKeysAfter(db, { appId, filter, now, ...page }),
    count: (filter) => countFiltered(db, { appId, filter, now }),
    nameOf: ({ license }) => license,
    keyOf: (license) => license,
    notFound: { code: 'LICENSE_NOT_FOUND', ...licensesErrors.LICENSE_NOT_FOUND },
    nothingSelected: () => reject(licensesErrors, 'NO_LICENSES_SELECTED'),
    selectionChanged: (count) => reject(licensesErrors, 'SELECTION_CHANGED', { values: { count } }),
  }
}

/** State needed to undo an action on a license: only the columns it changes. */
export interface LicenseState {
  banned?: number
  durationSeconds?: number
  expiresAt?: number | null
  /** Expiry of the entitlement the license granted; absent if there is none. */
  entitlementExpiresAt?: number | null
}

type LicenseAction = BulkAction<License, LicenseState>

const outcomes = (rows: readonly License[], of: (row: License) => RowOutcome) =>
  new Map(rows.map((row) => [row.id, of(row)]))

/** A ban ends access immediately. Licenses already in the target state are skipped, also by undo. */
export function banAction({ app, now }: AppContext, banned: boolean): LicenseAction {
  const wanted = banned ? 1 : 0
  return {
    name: banned ? 'license.bulk-ban' : 'license.bulk-unban',
    preview: (_tx, rows) => outcomes(rows, (row) => ({ changed: row.banned !== wanted, inUse: row.used === 1 })),
    apply: (tx, rows) => setLicensesBanned(tx, { appId: app.id, ids: rows.map(({ id }) => id), banned, now }),
    snapshot: (tx, ids) => bannedStates(tx, app.id, ids),
  }
}

export const deleteAction = (context: AppContext, choice: DeleteChoice): LicenseAction => ({
  name: 'license.bulk-delete',
  preview: (_tx, rows) => outcomes(rows, ({ used }) => ({ changed: true, inUse: used === 1 })),
  apply: (tx, rows, operation) => deleteLicenses(tx, context, rows, { ...choice, operation }),
  fillsBin: true,
})

const neverEnds = { code: 'LICENSE_NEVER_ENDS', message: licensesErrors.LICENSE_NEVER_ENDS.message }

/** Adds time to licenses and to the entitlements they granted; lifetime licenses are skipped. */
export function addTimeAction(
  { app }: AppContext,
  { duration, expiryUnit }: { duration: number | undefined; expiryUnit: ExpiryUnit | undefined },
): LicenseAction {
  rejectProblem(licensesErrors, addTimeProblem(duration, expiryUnit))
  const seconds = durationSeconds(duration as number, expiryUnit as ExpiryUnit)
  return {
    name: 'license.bulk-add-time',
    details: { seconds },
    preview: (_tx, rows) =>
      outcomes(rows, ({ duration_seconds, used }) =>
        duration_seconds === 0
          ? { changed: false, problem: neverEnds, countAs: 'lifetime' }
          : { changed: true, inUse: used === 1 },
      ),
    apply: (tx, rows) => addTimeToRows(tx, { appId: app.id, licenses: rows, seconds }),
    snapshot: (tx, ids) => timeStates(tx, app.id, ids),
  }
}

async function bannedStates(tx: Tx, appId: string, ids: readonly number[]): Promise<Map<number, LicenseState>> {
  const rows = await findLicensesById(tx.db, appId, ids)
  return new Map(rows.map(({ id, banned }) => [id, { banned }]))
}

async function timeStates(tx: Tx, appId: string, ids: readonly number[]): Promise<Map<number, LicenseState>> {
  const rows = await findLicensesById(tx.db, appId, ids)
  const given = await listLicensedExpiry(tx.db, appId, ids)
  return new Map(
    rows.map(({ id, duration_seconds: durationSeconds, expires_at: expiresAt }) => [
      id,
      { durationSeconds, expiresAt, ...(given.has(id) && { entitlementExpiresAt: given.get(id) ?? null }) },
    ]),
  )
}

const isTimeAction = (act: AuditEvent): boolean => act === 'license.bulk-add-time'

/** Undoes a ban, an unban or added time. */
export const undoLicenseActions = ({ app: { id: appId }, now }: AppContext): UndoActions<LicenseState> => ({
  events: ['license.bulk-ban', 'license.bulk-unban', 'license.bulk-add-time'],
  noun: 'licenses',
  lock: async (tx, _act, ids) =>
    (await lockLicenseRows(tx.db, appId, { ids })).map(({ id, license: name }) => ({ id, name })),
  snapshot: (tx, act, recorded) => {
    const ids = recorded.map(({ id }) => id)
    return isTimeAction(act) ? timeStates(tx, appId, ids) : bannedStates(tx, appId, ids)
  },
  async restore(tx, act, states) {
    if (!isTimeAction(act)) {
      for (const banned of [true, false]) {
        const ids = states.filter(({ state }) => (state.banned === 1) === banned).map(({ id }) => id)
        await setLicensesBanned(tx, { appId, ids, banned, now })
      }
      return
    }
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
    await restoreLicensedExpiry(
      tx,
      appId,
      of(({ entitlementExpiresAt }) => entitlementExpiresAt),
    )
    tx.publish(`access:${appId}`)
  },
})

const licensesPerTransaction = 1000

/**
 * Deletes used, unused or all licenses, optionally of one reseller, in batches, so that programs' calls run in between.
 * After a crash, the batches already deleted stay deleted; calling again deletes the rest.
 */
export async function deleteLicensesByUse(
  db: Database,
  context: AppContext,
  choice: DeleteChoice & {
    used: 0 | 1 | undefined
    resellerId?: string
    after?: number | undefined
    maxRows?: number | undefined
  },
): Promise<{ deleted: number; deletedUsers: number; next: number | null }> {
  const { used, resellerId, withUsers, refund, ...rows } = choice
  const { app, now } = context
  const act = `license.delete-${used === undefined ? 'all' : used === 1 ? 'used' : 'unused'}` as const
  const filter = { redeemed: used === undefined ? undefined : used === 1, resellerId }
  const total = { deleted: 0, deletedUsers: 0 }
  const operation = newDeletion()
  const scan = new BatchedScan(rows, licensesPerTransaction, (afterId, limit) =>
    listKeysAfter(db, { appId: app.id, filter, now, afterId, limit }),
  )
  for await (const batch of scan.batches()) {
    const { deleted, deletedUsers } = await db.write(async (tx) => {
      const locked = await lockLicenseRows(tx.db, app.id, { ids: batch.map(({ id }) => id) })
      const licenses = stillMatches(locked, filter, now)
      const done = await deleteLicenses(tx, context, licenses, { withUsers, refund, operation })
      const target = { noun: 'licenses', names: licenses.map(({ license }) => license) }
      await recordAudit(tx, context, { act, target, details: { refunded: done.refunded }, operations: [operation] })
      return done
    })
    total.deleted += deleted
    total.deletedUsers += deletedUsers
  }
  return { ...total, next: scan.next }
}
