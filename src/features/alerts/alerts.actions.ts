import { reject, rejectProblem } from '#contract/errors.ts'
import { atOnce } from '#database/at-once.ts'
import type { ChatText, Tx } from '#database/database.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf, changesOf } from '#server/audit/changes.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { lockApp } from '#features/apps/apps.actions.ts'
import { type Alert, thresholdsOf } from './alerts.reads.ts'
import { alertsErrors } from './alerts.errors.ts'
import {
  type AlertDecision,
  alertTitles,
  type AlertType,
  canResolve,
  lookBackSeconds,
  severityOf,
  standardThreshold,
  statusAfter,
  type Threshold,
  thresholdProblem,
} from './alerts.rules.ts'
import {
  advanceSeenUntil,
  insertAlert,
  lockAlert,
  lockAlerts,
  lockNewest,
  type NewestAlert,
  newFingerprints,
  setAlertStatus,
  setSeenUntil,
  setThreshold,
  updateAlert,
} from './alerts.writes.ts'
import { type Incident, evidenceOf, classifyIncident } from './incidents.rules.ts'

const locked = async (tx: Tx, appId: string, id: string): Promise<Alert> =>
  (await lockAlert(tx.db, { appId, id })) ?? reject(alertsErrors, 'ALERT_NOT_FOUND')

/** Reviews or dismisses a new alert. */
export async function resolveAlert(
  tx: Tx,
  context: AppContext,
  { id, status }: { id: string; status: 'reviewed' | 'dismissed' },
): Promise<void> {
  const { app } = context
  const alert = await locked(tx, app.id, id)
  if (!canResolve(alert)) reject(alertsErrors, 'ALERT_NOT_NEW')
  await setAlertStatus(tx.db, { appId: app.id, ids: [id], status, now: context.now })
  const act = status === 'reviewed' ? 'alert.review' : 'alert.dismiss'
  await recordAudit(tx, context, {
    act,
    target: id,
    details: { type: alert.type },
    changes: changeOf('status', alert.status, status),
  })
}

/** Reopens an alert, unless there is already a new alert for the same finding. */
export async function reopenAlert(tx: Tx, context: AppContext, id: string): Promise<void> {
  const { app } = context
  // Alerts for the same finding that are reopened in parallel see each other.
  await lockApp(tx, app.id)
  const alert = await locked(tx, app.id, id)
  if (canResolve(alert)) reject(alertsErrors, 'ALERT_IS_NEW')
  if ((await newFingerprints(tx.db, app.id, [alert.fingerprint])).size > 0) reject(alertsErrors, 'ALERT_RAISED_AGAIN')
  await setAlertStatus(tx.db, { appId: app.id, ids: [id], status: 'new', now: context.now })
  await recordAudit(tx, context, {
    act: 'alert.reopen',
    target: id,
    details: { type: alert.type },
    changes: changeOf('status', alert.status, 'new'),
  })
}

interface DecisionResult {
  alertId: string
  ok: boolean
  code?: keyof typeof alertsErrors
  message: string
}

/** Reviews, dismisses or reopens alerts where possible; returns a result for each, in the order of `alertIds`. */
export async function decideAlerts(
  tx: Tx,
  context: AppContext,
  { action, alertIds }: { action: AlertDecision; alertIds: readonly string[] },
): Promise<DecisionResult[]> {
  const { app, now } = context
  if (action === 'reopen') await lockApp(tx, app.id)
  const alerts = await lockAlerts(tx.db, app.id, [...new Set(alertIds)])
  const problems =
    action === 'reopen'
      ? await reopenProblems(tx, app.id, alerts)
      : new Map(alerts.map((alert) => [alert.id, canResolve(alert) ? undefined : ('ALERT_NOT_NEW' as const)]))
  const ids = alerts.filter(({ id }) => problems.get(id) === undefined).map(({ id }) => id)
  await setAlertStatus(tx.db, { appId: app.id, ids, status: statusAfter[action], now })
  await recordAudit(tx, context, { act: `alert.bulk-${action}`, target: { noun: 'alerts', names: ids } })
  return [...new Set(alertIds)].map((alertId) => {
    const code = problems.has(alertId) ? problems.get(alertId) : 'ALERT_NOT_FOUND'
    return code ? { alertId, ok: false, code, message: alertsErrors[code].message } : { alertId, ok: true, message: '' }
  })
}

/**
 * Why each alert cannot be reopened. Only the first of several alerts with the same fingerprint can, if none of them is
 * new.
 */
async function reopenProblems(tx: Tx, appId: string, alerts: readonly Alert[]) {
  const taken = await newFingerprints(
    tx.db,
    appId,
    alerts.map(({ fingerprint }) => fingerprint),
  )
  const problems = new Map<string, 'ALERT_IS_NEW' | 'ALERT_RAISED_AGAIN' | undefined>()
  for (const alert of alerts) {
    const isTaken = taken.has(alert.fingerprint) ? 'ALERT_RAISED_AGAIN' : undefined
    problems.set(alert.id, canResolve(alert) ? 'ALERT_IS_NEW' : isTaken)
    taken.add(alert.fingerprint)
  }
  return problems
}

export interface ThresholdChange {
  type: AlertType
  enabled?: boolean | undefined
  threshold?: number | undefined
  windowSeconds?: number | undefined
  reset?: boolean | undefined
  /** The values the caller saw in the fields it changes. */
  before?: object | undefined
}

/** Changes the threshold of a type; stored activity is then scanned again. */
export async function changeThreshold(tx: Tx, context: AppContext, change: ThresholdChange): Promise<void> {
  const { app, now } = context
  const { type, reset, enabled, threshold, windowSeconds } = change
  // A type that still has its defaults has no row of its own to lock.
  await lockApp(tx, app.id)
  const before = (await thresholdsOf(tx.db, app.id)).get(type) as Threshold
  const after = reset
    ? standardThreshold(type)
    : {
        enabled: enabled ?? before.enabled,
        threshold: threshold ?? before.threshold,
        windowSeconds: windowSeconds ?? before.windowSeconds,
      }
  rejectFieldConflict({ before: change.before, change: after }, { ...before })
  rejectProblem(alertsErrors, thresholdProblem(type, after))
  await setThreshold(tx.db, { appId: app.id, type, ...after })
  await setSeenUntil(tx.db, app.id, now - lookBackSeconds)
  await recordAudit(tx, context, {
    act: 'alert.threshold',
    target: type,
    details: { ...after },
    changes: changesOf(before, after),
  })
}

export interface Detection {
  type: AlertType
  threshold: Threshold
  incident: Incident
}

/** Records detections; returns the number of new alerts. */
export async function recordDetections(
  tx: Tx,
  app: { id: string; ownerId: string },
  { detections, now }: { detections: readonly Detection[]; now: number },
): Promise<number> {
  // Locked in a fixed order, to prevent deadlocks between processes.
  const groups = [...Map.groupBy(detections, fingerprintOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const newest = await atOnce(groups.map(([fingerprint]) => lockNewest(tx.db, app.id, fingerprint)))
  const raised = await atOnce(groups.map(([, group], at) => recordGroup(tx, app, group, { known: newest[at], now })))
  return raised.reduce((sum, each) => sum + each, 0)
}

/** Records detections of one fingerprint, one after the other; returns the number of new alerts. */
async function recordGroup(
  tx: Tx,
  app: { id: string; ownerId: string },
  detections: readonly Detection[],
  { known, now }: { known: KnownRow | undefined; now: number },
): Promise<number> {
  let raised = 0
  let last = known
  for (const detection of detections) {
    const { isRaised, alert } = await recordDetection(tx, app, detection, { known: last, now })
    if (isRaised) raised += 1
    last = alert
  }
  return raised
}

/** Records how far an app was scanned; false if its thresholds changed or another process was first. */
export const recordProgress = (tx: Tx, appId: string, progress: { from: number | undefined; to: number }) =>
  advanceSeenUntil(tx.db, { appId, ...progress })

const fingerprintOf = ({ type, incident }: Detection): string => `${type} ${incident.key}`

/** What the next detection of a fingerprint is compared with. */
type KnownRow = Pick<NewestAlert, 'id' | 'status' | 'measured' | 'strongest' | 'last_at' | 'occurrences'>

/** Whether it raised a new alert, and the newest alert of the fingerprint afterward. */
async function recordDetection(
  tx: Tx,
  app: { id: string; ownerId: string },
  detection: Detection,
  { known, now }: { known: KnownRow | undefined; now: number },
): Promise<{ isRaised: boolean; alert: KnownRow | undefined }> {
  const { type, threshold, incident } = detection
  const { measured, firstAt, lastAt } = incident
  const event = { appId: app.id, ownerId: app.ownerId, at: now }
  const fingerprint = fingerprintOf(detection)
  const judged = classifyIncident(incident, known && { ...known, lastAt: Number(known.last_at) }, threshold.threshold)
  if (judged === 'known') return { isRaised: false, alert: known }
  const { evidence, userCount } = evidenceOf(incident, threshold)
  const strongest = Math.max(measured, known?.strongest ?? 0)
  const seen = {
    severity: severityOf(type, measured, threshold.threshold),
    measured,
    user_count: userCount,
    ip: evidence.ips[0] ?? '',
    hwid_hash: evidence.hwids[0] ?? '',
    evidence: JSON.stringify({ ...evidence, strongest }),
    last_at: judged === 'raise' ? lastAt : Math.max(lastAt, Number(known?.last_at ?? 0)),
  }
  if (judged !== 'raise' && known) {
    const occurrences = known.occurrences + (judged === 'again' ? 1 : 0)
    await updateAlert(tx.db, { appId: app.id, id: known.id }, { ...seen, occurrences })
    tx.emit({ ...event, type: 'alert.grow', target: known.id, details: {} })
    return { isRaised: false, alert: { ...known, ...seen, strongest, occurrences } }
  }
  const id = `alert_${randomText(16)}`
  const alert = { app_id: app.id, id, type, fingerprint, first_at: firstAt, created_at: now, ...seen }
  if (!(await insertAlert(tx.db, alert))) {
    // Another process was first.
    return { isRaised: false, alert: await lockNewest(tx.db, app.id, fingerprint) }
  }
  const { key, reseller } = evidence
  const details = { type, severity: seen.severity, key, reseller, userCount, ip: seen.ip, measured }
  const chat = chatTextOf({ appId: app.id, id, type, severity: seen.severity }, { evidence, userCount })
  tx.emit({ ...event, type: 'alert.raised', target: id, details, chat })
  return { isRaised: true, alert: { id, status: 'new', measured, strongest, last_at: lastAt, occurrences: 1 } }
}

const maxChatNames = 3

/** Severity, type and subject: the reseller, otherwise the users, otherwise the key. */
function chatTextOf(
  { appId, id, type, severity }: Pick<Alert, 'id' | 'type' | 'severity'> & { appId: string },
  { evidence, userCount }: ReturnType<typeof evidenceOf>,
): ChatText {
  const users = [...evidence.users, ...(evidence.usersElsewhere ?? []).map(({ username }) => username)]
  const isOfUsers = !evidence.reseller && users.length > 0
  const names = isOfUsers ? users.slice(0, maxChatNames) : [evidence.key]
  return {
    title: `${severity.charAt(0)}${severity.slice(1).toLowerCase()}: ${alertTitles[type]}`,
    names,
    more: isOfUsers ? userCount - names.length : 0,
    path: `/alerts?appId=${encodeURIComponent(appId)}&q=${encodeURIComponent(id)}`,
  }
}
