import type { InstanceMessages } from '../process/instance-messages.ts'

interface Minute {
  /** Minutes since 1970. */
  minute: number
  requests: number
  failed: number
  /** Counts per bucket of `bounds`; the last bucket counts slower requests. */
  byDuration: number[]
}

export interface RecentRequests {
  requests: number
  failed: number
  /** 95th percentile in milliseconds; undefined without requests. */
  p95Ms: number | undefined
}

export interface FinishedRequest {
  status: number
  seconds: number
  /** The duration of a file or an export depends on its receiver. */
  isTransfer?: boolean | undefined
}

/** Upper bounds in milliseconds, each 1.25 times the previous one: the error of a percentile is below that. */
const bounds = Array.from({ length: 50 }, (_, at) => 1.25 ** at)
const windowMinutes = 5

const kind = 'requests'
const shareMs = 5000

/**
 * Recent request statistics, always counted because the status page shows them. Those of other processes arrive some
 * seconds later.
 */
export class RequestMetrics {
  readonly #minutes: Minute[] = []
  readonly #instances: InstanceMessages | undefined
  /** Counts not yet sent to other processes, all of one minute. */
  #unsent: Minute | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(instances?: InstanceMessages) {
    this.#instances = instances
    instances?.on(kind, (entries) => {
      for (const entry of entries) this.#merge(JSON.parse(entry) as Minute)
    })
  }

  /** `now` in epoch milliseconds. */
  record(request: FinishedRequest, now: number): void {
    const minute = Math.floor(now / 60_000)
    count(this.#minuteOf(minute), request)
    if (!this.#instances?.hasOtherInstances) return
    if (this.#unsent?.minute !== minute) this.share()
    count((this.#unsent ??= newMinute(minute)), request)
    this.#timer ??= setTimeout(() => this.share(), shareMs).unref()
  }

  /** Sends the counts that other processes do not have yet. */
  share(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#unsent) this.#instances?.send(kind, JSON.stringify(this.#unsent))
    this.#unsent = undefined
  }

  /** Statistics of the last five minutes. `now` in epoch milliseconds. */
  recent(now: number): RecentRequests {
    const from = Math.floor(now / 60_000) - windowMinutes
    const recent = this.#minutes.filter(({ minute }) => minute > from)
    const sum = (read: (minute: Minute) => number) => recent.reduce((all, each) => all + read(each), 0)
    const counts = newMinute(0).byDuration.map((_, at) => sum(({ byDuration }) => byDuration[at] ?? 0))
    const wanted = counts.reduce((all, each) => all + each, 0) * 0.95
    let counted = 0
    const slot = counts.findIndex((count) => (counted += count) >= wanted && count > 0)
    const p95Ms = slot < 0 ? undefined : (bounds[slot] ?? bounds.at(-1))
    return { requests: sum(({ requests }) => requests), failed: sum(({ failed }) => failed), p95Ms }
  }

  #merge({ minute, requests, failed, byDuration }: Minute): void {
    const metrics = this.#minuteOf(minute)
    metrics.requests += requests
    metrics.failed += failed
    metrics.byDuration = metrics.byDuration.map((own, at) => own + (byDuration[at] ?? 0))
  }

  #minuteOf(minute: number): Minute {
    // Another process may still be in the previous minute.
    const known = this.#minutes.findLast((each) => each.minute === minute)
    if (known) return known
    const added = newMinute(minute)
    this.#minutes.push(added)
    if (this.#minutes.length > windowMinutes + 1) this.#minutes.shift()
    return added
  }
}

const newMinute = (minute: number): Minute => ({
  minute,
  requests: 0,
  failed: 0,
  byDuration: Array<number>(bounds.length + 1).fill(0),
})

function count(metrics: Minute, { status, seconds, isTransfer }: FinishedRequest): void {
  metrics.requests += 1
  if (status >= 500) metrics.failed += 1
  if (isTransfer) return
  const at = bounds.findIndex((bound) => seconds * 1000 <= bound)
  const slot = at < 0 ? bounds.length : at
  metrics.byDuration[slot] = (metrics.byDuration[slot] ?? 0) + 1
}
