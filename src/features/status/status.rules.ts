import {
  type MeasuredState,
  measuredStates,
  type StatusPart,
  type StatusState,
  type StorageProblem,
} from '#contract/status-parts.ts'

export const daySeconds = 86_400
const minutesOfDay = 1440

/** Length of the history in days, including today. */
export const historyDays = 90

/** How many days single minutes are kept; older history is daily. */
export const minuteRetentionDays = 3

export const isWorse = (state: MeasuredState, than: MeasuredState): boolean =>
  measuredStates.indexOf(state) > measuredStates.indexOf(than)

/** Parts without which the platform does not work; a late backup, for example, affects no one. */
const essential: ReadonlySet<StatusPart> = new Set(['api', 'errors', 'queue', 'database', 'ledger', 'storage'])

/** The overall state; a part that is not essential makes it `degraded` at most. */
export function overallState(parts: readonly { part: StatusPart; state: StatusState }[]): StatusState {
  const counts = (state: StatusState) => parts.filter((each) => each.state === state)
  if (counts('down').some(({ part }) => essential.has(part))) return 'down'
  if (counts('down').length + counts('degraded').length > 0) return 'degraded'
  return counts('unknown').some(({ part }) => part === 'database' || part === 'api') ? 'unknown' : 'ok'
}

/** Counts for the headline: unmeasured parts are not operational; parts that are off are not counted. */
export function countSystems(parts: readonly { state: StatusState }[]): { operational: number; unknown: number } {
  const count = (state: StatusState) => parts.filter((each) => each.state === state).length
  return { operational: count('ok'), unknown: count('unknown') }
}

/** Minutes of one part on one day by state; `unknown` counts minutes without a measurement. */
export interface StatusDay extends Record<MeasuredState, number> {
  /** Start of the day in UTC, epoch seconds. */
  from: number
  unknown: number
}

/** Daily counts of a part in a reply, from the oldest day to today. */
export interface DayCounts extends Record<MeasuredState, readonly number[]> {}

/** The days of the history to show at `now` (epoch seconds). */
export function statusDays(counts: DayCounts, now: number): StatusDay[] {
  const today = Math.floor(now / daySeconds)
  return counts.ok.map((ok, at) => {
    const from = (today - counts.ok.length + 1 + at) * daySeconds
    const degraded = counts.degraded[at] ?? 0
    const down = counts.down[at] ?? 0
    const passed = Math.min(minutesOfDay, Math.floor((now - from) / 60))
    return { from, ok, degraded, down, unknown: Math.max(0, passed - ok - degraded - down) }
  })
}

/** Tolerated unknown minutes of a day, for server upgrades. */
const maxUnknownMinutes = 15
/** Minutes down in a day from which it counts as an outage. */
const minOutageMinutes = 5

/** State of a day. More than 15 unknown minutes make it `unknown`, unless it had problems. */
export function stateOfDay({ ok, degraded, down, unknown }: StatusDay): StatusState {
  if (ok + degraded + down === 0) return 'unknown'
  if (down >= minOutageMinutes) return 'down'
  if (down + degraded > 0) return 'degraded'
  return unknown > maxUnknownMinutes ? 'unknown' : 'ok'
}

/** Share of the measured minutes in which a part was not down, from 0 to 1; undefined without measurements. */
export function availability(days: readonly StatusDay[]): number | undefined {
  const sum = (state: MeasuredState) => days.reduce((all, day) => all + day[state], 0)
  const measured = sum('ok') + sum('degraded') + sum('down')
  return measured === 0 ? undefined : (measured - sum('down')) / measured
}

export const stateOfLastBackup = (ageSeconds: number): StatusState => (ageSeconds > 8 * daySeconds ? 'degraded' : 'ok')

/** `p95Ms` covers the last minutes; undefined, without requests, counts as fast. */
export const stateOfLatency = (p95Ms: number | undefined): StatusState =>
  p95Ms === undefined || p95Ms < 1000 ? 'ok' : p95Ms < 5000 ? 'degraded' : 'down'

/** Fewer than three failures say nothing about the platform. */
export function stateOfErrors({ requests, failed }: { requests: number; failed: number }): StatusState {
  if (failed < 3) return 'ok'
  const rate = failed / requests
  return rate >= 0.25 ? 'down' : rate >= 0.01 ? 'degraded' : 'ok'
}

/** By the age in seconds of the oldest overdue job. */
export const stateOfQueue = (oldestSeconds: number): StatusState =>
  oldestSeconds < 120 ? 'ok' : oldestSeconds < 1800 ? 'degraded' : 'down'

interface MailMetrics {
  /** Highest number of attempts of any email. The one being sent has 1; the first failure is retried within seconds. */
  attempts: number
  /** Consecutive failed probes of the mail server, one per minute. */
  failures: number
}

/** The worse of two measures: delivery attempts and failed probes of the mail server. */
export function stateOfMail({ attempts, failures }: MailMetrics): StatusState {
  if (attempts >= 5 || failures >= 3) return 'down'
  return attempts >= 2 || failures >= 1 ? 'degraded' : 'ok'
}

interface StorageMetrics {
  isDamaged: boolean
  keyIsIntact: boolean
  freeBytes: number
  lowBytes: number
}

/** The most severe problem of the disk, the database files and the key file. */
export function storageProblem({
  isDamaged,
  keyIsIntact,
  freeBytes,
  lowBytes,
}: StorageMetrics): StorageProblem | undefined {
  if (isDamaged) return 'DATA_DAMAGED'
  if (!keyIsIntact) return 'KEY_FILE'
  return freeBytes < lowBytes ? 'DISK_LOW' : undefined
}

/** Checks run hourly; a result older than three hours is outdated. */
const maxCheckAgeSeconds = 3 * 3600

export function stateOfCheck(check: { checkedAt: number; problems: number } | undefined, now: number): StatusState {
  if (!check) return 'unknown'
  if (check.problems > 0) return 'down'
  // A time in the future is of a clock that was ahead.
  return Math.abs(now - check.checkedAt) > maxCheckAgeSeconds ? 'unknown' : 'ok'
}
