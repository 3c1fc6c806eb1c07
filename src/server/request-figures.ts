/** How requests went of late, in this process: always counted, because the status page shows it. */

interface Minute {
  /** Minutes since 1970. */
  minute: number
  requests: number
  failed: number
  /** By `bounds`; the last one counts what is slower than all of them. */
  byDuration: number[]
}

export interface RecentRequests {
  requests: number
  failed: number
  /** Milliseconds that 95 of 100 requests don't exceed; undefined without requests. */
  p95Ms: number | undefined
}

export interface FinishedRequest {
  status: number
  seconds: number
  /** A file or an export lasts as long as its receiver takes. */
  isTransfer?: boolean | undefined
}

/** Upper bounds in milliseconds, each 1.25 times the one before: a percentile is off by less than that. */
const bounds = Array.from({ length: 50 }, (_, at) => 1.25 ** at)
const windowMinutes = 5

export class RequestFigures {
  readonly #minutes: Minute[] = []

  /** `now` in epoch milliseconds. */
  record({ status, seconds, isTransfer }: FinishedRequest, now: number): void {
    const figures = this.#minuteOf(now)
    figures.requests += 1
    if (status >= 500) figures.failed += 1
    if (isTransfer) return
    const at = bounds.findIndex((bound) => seconds * 1000 <= bound)
    const slot = at < 0 ? bounds.length : at
    figures.byDuration[slot] = (figures.byDuration[slot] ?? 0) + 1
  }

  /** Of the last five minutes. `now` in epoch milliseconds. */
  recent(now: number): RecentRequests {
    const from = Math.floor(now / 60_000) - windowMinutes
    const recent = this.#minutes.filter(({ minute }) => minute > from)
    const sum = (read: (minute: Minute) => number) => recent.reduce((all, each) => all + read(each), 0)
    const counts = Array.from({ length: bounds.length + 1 }, (_, at) => sum(({ byDuration }) => byDuration[at] ?? 0))
    const wanted = counts.reduce((all, each) => all + each, 0) * 0.95
    let counted = 0
    const slot = counts.findIndex((count) => (counted += count) >= wanted && count > 0)
    const p95Ms = slot < 0 ? undefined : (bounds[slot] ?? bounds.at(-1))
    return { requests: sum(({ requests }) => requests), failed: sum(({ failed }) => failed), p95Ms }
  }

  #minuteOf(now: number): Minute {
    const minute = Math.floor(now / 60_000)
    const last = this.#minutes.at(-1)
    if (last?.minute === minute) return last
    const added: Minute = { minute, requests: 0, failed: 0, byDuration: Array<number>(bounds.length + 1).fill(0) }
    this.#minutes.push(added)
    if (this.#minutes.length > windowMinutes + 1) this.#minutes.shift()
    return added
  }
}
