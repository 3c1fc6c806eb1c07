import type { Reader } from '#database/database.ts'
import { asReportCaller, reportCaller, throwIfAborted } from '#database/report-queue.ts'
import { countOwnApps, findOwnedApp } from '#features/apps/apps.reads.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { type Detection, recordDetections, recordProgress } from './alerts.actions.ts'
import { seenUntil, thresholdsOf } from './alerts.reads.ts'
import { alertKinds, type AlertType, lookBackSeconds, type Threshold } from './alerts.rules.ts'
import { findIncidents, type Observation } from './incidents.rules.ts'
import {
  endOfSlice,
  findCandidates,
  listRowsOfKeys,
  type LogDetector,
  logDetectors,
  type ScannedApp,
  observationsOf,
  type Slice,
} from './log-observations.reads.ts'
import { storedDetectors } from './stored-observations.reads.ts'

/** Log entries are written shortly after the event; scanning the same rows twice finds nothing new. */
const overlapSeconds = 120
/** Difference between the clocks of two processes. A later position is from before the clock was set back. */
const maxSkewSeconds = 10
const rowsPerSlice = 150_000
/** In a longer slice, more keys look busy although they never are within one window. */
const secondsPerSlice = 3 * 86_400
const keysPerQuery = 100
const detectionsPerTransaction = 50
/** Per type and slice: fewer are enough to reveal a flood. */
const maxDetections = 600

type Thresholds = ReadonlyMap<AlertType, Threshold>

/**
 * Scans the activity of an app's programs, users and resellers since the last run, slice by slice; returns the number
 * of new alerts. All reads run off the server's main thread; writes are small transactions.
 */
export async function detect(services: Services, appId: string): Promise<number> {
  const { db } = services
  const row = await findOwnedApp(db.read, appId)
  if (!row) return 0
  const app = { id: row.id, ownerId: row.owner_id }
  const { signal } = reportCaller()
  return asReportCaller({ owner: app.ownerId, signal }, async () => {
    const now = epochSeconds(services)
    const thresholds = await enabledThresholds(db.read, app)
    const before = await seenUntil(db.read, app.id)
    const isUsable = before !== undefined && before <= now + maxSkewSeconds
    const from = Math.max(isUsable ? before - overlapSeconds : 0, now - lookBackSeconds)
    let seen = before
    let isAlone = true
    let raised = await storedDetections(services, app, { thresholds, from, now })
    for (let at = from; at <= now;) {
      const to = await endOfSlice(db.reports, {
        appId: app.id,
        from: at,
        to: Math.min(now, at + secondsPerSlice),
        maxRows: rowsPerSlice,
      })
      const detections = await findInLogs(services, app, { slice: { from: at, to }, thresholds })
      raised += await record(services, app, { detections, now })
      // A change of thresholds restarts the scan; this run then no longer advances the position.
      const progress = { from: seen, to }
      if (isAlone) isAlone = await db.write((tx) => recordProgress(tx, app.id, progress))
      seen = to
      at = to + 1
    }
    return raised
  })
}

/** The thresholds of the enabled types; cross-app types need another app of the owner. */
async function enabledThresholds(db: Reader, app: ScannedApp): Promise<Thresholds> {
  const isOnlyApp = (await countOwnApps(db, app.ownerId)) < 2
  const all = await thresholdsOf(db, app.id)
  const isNeeded = (type: AlertType, { enabled }: Threshold) =>
    enabled && !(isOnlyApp && alertKinds[type].scope === 'cross-app')
  return new Map([...all].filter(([type, threshold]) => isNeeded(type, threshold)))
}

async function findInLogs(
  { db }: Services,
  app: ScannedApp,
  { slice, thresholds }: { slice: Slice; thresholds: Thresholds },
): Promise<Detection[]> {
  const detections: Detection[] = []
  const on = logDetectors.flatMap((detector) => {
    const limit = thresholds.get(detector.type)
    return limit ? [{ ...detector, limit }] : []
  })
  for (const [key, detectors = []] of Map.groupBy(on, (detector) => detector.key)) {
    throwIfAborted()
    const longest = Math.max(...detectors.map(({ limit }) => limit.windowSeconds))
    const from = slice.from - longest
    const candidates = await findCandidates(db.reports, app, { key, slice, detectors })
    for (let at = 0; at < candidates.length; at += keysPerQuery) {
      throwIfAborted()
      const values = candidates.slice(at, at + keysPerQuery)
      for (const [value, rows] of await listRowsOfKeys(db.reports, app, { key, values, from, to: slice.to })) {
        for (const detector of detectors) {
          const observations = observationsOf(rows, detector, { key: value, appId: app.id })
          detections.push(...detectionsOf(detector, within(observations, slice.from - detector.limit.windowSeconds)))
        }
      }
    }
  }
  return bounded(detections)
}

async function storedDetections(
  services: Services,
  app: ScannedApp,
  { thresholds, from, now }: { thresholds: Thresholds; from: number; now: number },
): Promise<number> {
  let raised = 0
  for (const { type, list, countsLater } of storedDetectors) {
    const limit = thresholds.get(type)
    if (!limit) continue
    throwIfAborted()
    const since = (countsLater ? now - lookBackSeconds : Math.min(from, now)) - limit.windowSeconds
    const observations = await list(services.db.reports, app, { limit, since, now })
    const detections = [...Map.groupBy(observations, ({ key }) => key).values()].flatMap((each) =>
      detectionsOf({ type, limit }, each),
    )
    raised += await record(services, app, { detections: bounded(detections), now })
  }
  return raised
}

const within = (observations: readonly Observation[], since: number) => observations.filter(({ at }) => at >= since)

const detectionsOf = (
  { type, limit, also }: Pick<LogDetector, 'type' | 'also'> & { limit: Threshold },
  observations: readonly Observation[],
): Detection[] => findIncidents(observations, limit, also).map((incident) => ({ type, threshold: limit, incident }))

/** Keeps the strongest detections of each type. */
const bounded = (detections: readonly Detection[]): Detection[] =>
  [...Map.groupBy(detections, ({ type }) => type).values()].flatMap((each) =>
    each.length <= maxDetections
      ? each
      : each.toSorted((a, b) => b.incident.measured - a.incident.measured).slice(0, maxDetections),
  )

async function record(
  { db }: Services,
  app: ScannedApp,
  { detections, now }: { detections: readonly Detection[]; now: number },
): Promise<number> {
  let raised = 0
  for (let at = 0; at < detections.length; at += detectionsPerTransaction) {
    const part = detections.slice(at, at + detectionsPerTransaction)
    raised += await db.write((tx) => recordDetections(tx, app, { detections: part, now }))
  }
  return raised
}
