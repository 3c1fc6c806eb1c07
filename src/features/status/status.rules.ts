import {
  type MeasuredState,
  measuredStates,
  type StatusPart,
  type StatusState,
  type StorageProblem,
} from '#contract/status-parts.ts'

export const daySeconds = 86_400
const minutesOfDay = 1440

/** How far the history goes back, today included. */
export const historyDays = 90

/** How long single minutes are kept: older history is by the day. */
export const minuteRetentionDays = 3

export const isWorse = (state: MeasuredState, than: MeasuredState): boolean =>
  measuredStates.indexOf(state) > measuredStates.indexOf(than)

/** Those that decide whether the platform works; a backup that is late stops nobody. */
const essential: ReadonlySet<StatusPart> = new Set(['api', 'errors', 'queue', 'database', 'ledger', 'storage'])

/** Of all parts together: at most `degraded` because of one that nobody waits for. */
export function overallState(parts: readonly { part: StatusPart; state: StatusState }[]): StatusState {
  const counts = (state: StatusState) => parts.filter((each) => each.state === state)
  if (counts('down').some(({ part }) => essential.has(part))) return 'down'
  if (counts('down').length + counts('degraded').length > 0) return 'degraded'
  return counts('unknown').some(({ part }) => part === 'database' || part === 'api') ? 'unknown' : 'ok'
}

/** For the headline: a part that couldn't be measured isn't operational, and one that is off is none. */
export function countSystems(parts: readonly { state: StatusState }[]): { operational: number; unknown: number } {
  const count = (state: StatusState) => parts.filter((each) => each.state === state).length
  return { operational: count('ok'), unknown: count('unknown') }
}

/** A day of one part, in minutes; `unknown` are those that nobody measured. */
export interface StatusDay extends Record<MeasuredState, number> {
  /** Its first moment, epoch seconds, UTC. */
  from: number
  unknown: number
}

/** What a reply has of a part's days, from the oldest to today. */
export interface DayCounts extends Record<MeasuredState, readonly number[]> {}

/** The days of the history as they are to be shown at `now` (epoch seconds). */
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

/** A few minutes of a day may be missing, where a server was upgraded, without the day being less known. */
const maxUnknownMinutes = 15
/** So many minutes down in a day are an outage. */
const minOutageMinutes = 5

/** What a day is called: `unknown` as soon as a quarter of an hour of it is. */
export function stateOfDay({ ok, degraded, down, unknown }: StatusDay): StatusState {
  if (ok + degraded + down === 0) return 'unknown'
  if (down >= minOutageMinutes) return 'down'
  if (down + degraded > 0) return 'degraded'
  return unknown > maxUnknownMinutes ? 'unknown' : 'ok'
}

/** The share of the measured minutes in which a part worked, between 0 and 1; undefined when nothing was measured. */
export function availability(days: readonly StatusDay[]): number | undefined {
  const sum = (state: MeasuredState) => days.reduce((all, day) => all + day[state], 0)
  const measured = sum('ok') + sum('degraded') + sum('down')
  return measured === 0 ? undefined : (measured - sum('down')) / measured
}

export const stateOfLastBackup = (ageSeconds: number): StatusState => (ageSeconds > 8 * daySeconds ? 'degraded' : 'ok')

/** `p95Ms` of the last minutes; without requests nothing was slow. */
export const stateOfLatency = (p95Ms: number | undefined): StatusState =>
  p95Ms === undefined || p95Ms < 1000 ? 'ok' : p95Ms < 5000 ? 'degraded' : 'down'

/** A single failure says nothing about the platform. */
export function stateOfErrors({ requests, failed }: { requests: number; failed: number }): StatusState {
  if (failed < 3) return 'ok'
  const rate = failed / requests
  return rate >= 0.25 ? 'down' : rate >= 0.01 ? 'degraded' : 'ok'
}

/** By the oldest work that should have been done, in seconds. */
export const stateOfQueue = (oldestSeconds: number): StatusState =>
  oldestSeconds < 120 ? 'ok' : oldestSeconds < 1800 ? 'degraded' : 'down'

interface MailMetrics {
  /** Of the mail that was tried most. One that is under way has one; the first that fails is tried again within seconds. */
  attempts: number
  /** How often in a row the mail server could not be used, by the minute. */
  failures: number
}

/** By what became of mails, or worse, by whether the mail server can be used. */
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

/** The worst of what is wrong with the disk, the database's files and the key file. */
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

/** Hourly, so that a check of three hours ago says nothing about now. */
const maxCheckAgeSeconds = 3 * 3600

export function stateOfCheck(check: { checkedAt: number; problems: number } | undefined, now: number): StatusState {
  if (!check) return 'unknown'
  if (check.problems > 0) return 'down'
  return now - check.checkedAt > maxCheckAgeSeconds ? 'unknown' : 'ok'
}
