import { durationSeconds } from '#contract/duration.ts'
import { reject, rejectProblem } from '#contract/errors.ts'
import { newestId as findNewestId } from '#database/searched-rows.ts'
import type { Database } from '#database/database.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import type { BulkAction, BulkRows, RowOutcome } from '#server/bulk/bulk.ts'
import { addTimeToRows } from './license-time.actions.ts'
import { type DeleteChoice, deleteLicenses, lockRedeemers, setLicensesBanned } from './licenses.actions.ts'
import { listKeysAfter } from './license-batches.reads.ts'
import { bannedStates, type LicenseState, timeStates } from './licenses-undo.actions.ts'
import { countFiltered, type License, type LicenseFilter, stillMatches } from './licenses.reads.ts'
import { licensesErrors } from './licenses.errors.ts'
import { addTimeProblem, type ExpiryUnit } from './licenses.rules.ts'
import { lockLicenseRows } from './licenses.writes.ts'

/** How bulk actions find and lock licenses. */
export function licenseRows(db: Database, { app, now }: AppContext): BulkRows<License, LicenseFilter> {
  const appId = app.id
  return {
    noun: 'licenses',
    lock: (tx, choice) => lockLicenseRows(tx.db, appId, choice),
    stillMatches: (_tx, rows, filter) => stillMatches(rows, filter, now),
    list: (filter, page) => listKeysAfter(db, { appId, filter, now, ...page }),
    count: (filter, newestId) => countFiltered(db, { appId, filter, now }, newestId),
    newestId: () => findNewestId(db.reports, { table: 'licenses', appId }),
    nameOf: ({ license }) => license,
    keyOf: (license) => license,
    notFound: { code: 'LICENSE_NOT_FOUND', ...licensesErrors.LICENSE_NOT_FOUND },
    nothingSelected: () => reject(licensesErrors, 'NO_LICENSES_SELECTED'),
  }
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
    lockRelated: (tx, rows) => lockRedeemers(tx, app.id, rows),
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
  { app, now }: AppContext,
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
    lockRelated: (tx, rows) => lockRedeemers(tx, app.id, rows),
    apply: (tx, rows) => addTimeToRows(tx, { appId: app.id, now, licenses: rows, seconds }),
    snapshot: (tx, ids) => timeStates(tx, app.id, ids),
  }
}

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
    /** Licenses with higher IDs stay; by default, those that are added from now on. */
    newestId?: number | undefined
  },
): Promise<{ deleted: number; deletedUsers: number; next: number | null; newestId: number }> {
  const { used, resellerId, withUsers, refund, ...rows } = choice
  const { app, now } = context
  const act = `license.delete-${used === undefined ? 'all' : used === 1 ? 'used' : 'unused'}` as const
  const filter = { redeemed: used === undefined ? undefined : used === 1, resellerId }
  const total = { deleted: 0, deletedUsers: 0 }
  const operation = newDeletion()
  const newestId = rows.newestId ?? (await findNewestId(db.reports, { table: 'licenses', appId: app.id }))
  const scan = new BatchedScan({ ...rows, newestId }, licensesPerTransaction, (afterId, limit) =>
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
  return { ...total, next: scan.next, newestId }
}
