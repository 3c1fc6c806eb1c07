import { type Insertable, sql, type Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { deleteBatch } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import { type Alert, redactedFingerprint, type ExpiredAlerts } from './alerts.reads.ts'
import { type AlertStatus, type AlertType, type Threshold, typesOfPlaces } from './alerts.rules.ts'
import type { Evidence, KnownAlert } from './incidents.rules.ts'
import type { AlertsTable } from './alerts.table.ts'

interface AlertKey {
  appId: string
  id: string
}

/** The alert, locked until the transaction ends. */
export const lockAlert = (trx: Transaction, { appId, id }: AlertKey): Promise<Alert | undefined> =>
  locking(trx, trx.selectFrom('alerts').selectAll().where('app_id', '=', appId).where('id', '=', id)).executeTakeFirst()

/** These alerts, locked; with the same fingerprint, newest first. */
export const lockAlerts = (trx: Transaction, appId: string, ids: readonly string[]): Promise<Alert[]> =>
  locking(
    trx,
    trx
      .selectFrom('alerts')
      .selectAll()
      .where('app_id', '=', appId)
      .where('id', 'in', [...ids])
      // The same order as in detection, to prevent deadlocks.
      .orderBy('fingerprint')
      .orderBy('created_at', 'desc')
      .orderBy('id'),
  ).execute()

export type NewestAlert = Alert & Pick<KnownAlert, 'strongest'>

/** The newest alert of a fingerprint, locked; an alert that is still new comes first. */
export async function lockNewest(
  trx: Transaction,
  appId: string,
  fingerprint: string,
): Promise<NewestAlert | undefined> {
  const query = trx
    .selectFrom('alerts')
    .selectAll()
    .where('app_id', '=', appId)
    .where('fingerprint', '=', fingerprint)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(20)
  const alerts = await locking(trx, query).execute()
  const newest = alerts.find(({ status }) => status === 'new') ?? alerts[0]
  return newest && { ...newest, strongest: Math.max(...alerts.map(strongestOf)) }
}

const strongestOf = ({ measured, evidence }: Alert): number =>
  Math.max(measured, (JSON.parse(evidence) as Evidence).strongest ?? 0)

/** False if a new alert with this fingerprint has been inserted meanwhile. */
export async function insertAlert(trx: Transaction, alert: Insertable<AlertsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('alerts')
    .values(alert)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export async function updateAlert(
  trx: Transaction,
  { appId, id }: AlertKey,
  more: Updateable<AlertsTable>,
): Promise<void> {
  await trx.updateTable('alerts').set(more).where('app_id', '=', appId).where('id', '=', id).execute()
}

export async function setAlertStatus(
  trx: Transaction,
  { appId, ids, status, now }: { appId: string; ids: readonly string[]; status: AlertStatus; now: number },
): Promise<void> {
  if (ids.length === 0) return
  const change = { status, resolved_at: status === 'new' ? null : now }
  await trx
    .updateTable('alerts')
    .set(change)
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Deletes up to `limit` expired alerts; returns their number. */
export async function deleteExpired(
  trx: Transaction,
  { appId, resolvedBefore, unreviewedBefore, limit }: ExpiredAlerts & { limit: number },
): Promise<number> {
  const resolved = sql`app_id = ${appId} and resolved_at < ${resolvedBefore} order by resolved_at`
  const unreviewed = sql`app_id = ${appId} and status = 'new' and last_at < ${unreviewedBefore} order by last_at`
  const deleted = await deleteBatch(trx, 'alerts', resolved, limit)
  return deleted === limit ? deleted : deleted + (await deleteBatch(trx, 'alerts', unreviewed, limit - deleted))
}

/** The given fingerprints that have a new alert. */
export async function newFingerprints(
  trx: Transaction,
  appId: string,
  fingerprints: readonly string[],
): Promise<Set<string>> {
  if (fingerprints.length === 0) return new Set()
  const rows = await trx
    .selectFrom('alerts')
    .select('fingerprint')
    .where('app_id', '=', appId)
    .where('fingerprint', 'in', [...fingerprints])
    .where('status', '=', 'new')
    .execute()
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}

export async function setSeenUntil(trx: Transaction, appId: string, seenUntil: number): Promise<void> {
  await trx
    .insertInto('alert_scans')
    .values({ app_id: appId, seen_until: seenUntil })
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ seen_until: seenUntil }))
    .execute()
}

/** Advances the scan position from `from`; false if it has changed meanwhile. */
export async function advanceSeenUntil(
  trx: Transaction,
  { appId, from, to }: { appId: string; from: number | undefined; to: number },
): Promise<boolean> {
  if (from === undefined) {
    const row = { app_id: appId, seen_until: to }
    const result = await trx
      .insertInto('alert_scans')
      .values(row)
      .onConflict((conflict) => conflict.column('app_id').doNothing())
      .executeTakeFirst()
    return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
  }
  const result = await trx
    .updateTable('alert_scans')
    .set({ seen_until: to })
    .where('app_id', '=', appId)
    .where('seen_until', '=', from)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function setThreshold(
  trx: Transaction,
  { appId, type, enabled, threshold, windowSeconds }: Threshold & { appId: string; type: AlertType },
): Promise<void> {
  const values = { enabled: enabled ? 1 : 0, threshold, window_seconds: windowSeconds }
  await trx
    .insertInto('alert_thresholds')
    .values({ app_id: appId, type, ...values })
    .onConflict((conflict) => conflict.columns(['app_id', 'type']).doUpdateSet(values))
    .execute()
}

/**
 * Redacts addresses and machines, but keeps what happened, to whom and how often; skips an alert detected again since
 * `before`.
 */
export async function redactAlert(
  trx: Transaction,
  { appId, id }: AlertKey,
  { before, redactEvidence }: { before: number; redactEvidence: (alert: Alert) => string },
): Promise<void> {
  const alert = await lockAlert(trx, { appId, id })
  if (!alert || Number(alert.last_at) >= before) return
  const change = {
    ip: '',
    hwid_hash: '',
    evidence: redactEvidence(alert),
    // A subject that is no place is found again, so that its alert isn't raised twice.
    ...(typesOfPlaces.includes(alert.type) && { fingerprint: redactedFingerprint }),
  }
  await trx.updateTable('alerts').set(change).where('app_id', '=', appId).where('id', '=', id).execute()
}
