import ipaddr from 'ipaddr.js'
import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { Counts } from './metrics/counts.ts'
import type { InstanceMessages } from './process/instance-messages.ts'

interface Window {
  startedAt: number
  count: number
}

const maxSubjects = 100_000

export interface Limit {
  /** What is limited, such as `registration`. Many subjects of one purpose never evict those of another. */
  purpose: string
  subject: string
  max: number
  seconds: number
}

export interface LimitState {
  limit: number
  /** Calls that are left until the reset. */
  remaining: number
  resetSeconds: number
}

const kind = 'counts'
/** Message between processes: purpose, subject, epoch milliseconds, seconds; -1 for a call that is taken back. */
type Count = [purpose: string, subject: string, at: number, seconds: number, calls?: 1 | -1]

/**
 * Counts calls by purpose and subject in fixed windows, in this process; the counts of other processes are added a
 * moment later.
 */
export class RateLimits {
  /** Windows by subject, by purpose and seconds. */
  readonly #purposes = new Map<string, Map<number, Map<string, Window>>>()
  /** Rejected calls by limit, for the metrics. */
  readonly rejected = new Counts<'limit'>()
  readonly #instances: InstanceMessages | undefined

  constructor(instances?: InstanceMessages) {
    this.#instances = instances
    instances?.on(kind, (entries) => {
      for (const entry of entries) {
        const [purpose, subject, at, seconds, calls = 1] = JSON.parse(entry) as Count
        if (calls < 0) {
          this.#decrement({ purpose, subject, seconds })
          continue
        }
        // A slightly slow clock of another process must not start a new window.
        const startedAt = this.#windowsOf(purpose, seconds).get(subject)?.startedAt ?? at
        this.#count({ purpose, subject, seconds }, Math.max(at, startedAt))
      }
    })
  }

  /** Throws `RATE_LIMITED` for calls beyond `max` within `seconds`. `now` in epoch milliseconds. */
  take(limit: Limit, now: number): void {
    const retryAfterSeconds = this.count(limit, now)
    if (retryAfterSeconds !== undefined) reject(commonErrors, 'RATE_LIMITED', { details: { retryAfterSeconds } })
  }

  /** The same for callers that reply in their own way: seconds to wait, or undefined within the limit. */
  count({ purpose, subject, max, seconds }: Limit, now: number): number | undefined {
    const window = this.#count({ purpose, subject, seconds }, now)
    if (window.count <= max) {
      // Excess calls are not broadcast: a process that knows of `max` calls rejects the next one anyway.
      if (this.#instances?.hasOtherInstances) {
        this.#instances.send(kind, JSON.stringify([purpose, subject, now, seconds] satisfies Count))
      }
      return undefined
    }
    this.rejected.add({ limit: purpose })
    return secondsLeft(window, { seconds, now })
  }

  /** What is left of a limit, for replies that tell their callers. */
  state({ purpose, subject, max, seconds }: Limit, now: number): LimitState {
    const window = this.#purposes.get(purpose)?.get(seconds)?.get(subject)
    if (!window || !isCurrent(window, { seconds, now })) return { limit: max, remaining: max, resetSeconds: seconds }
    const resetSeconds = secondsLeft(window, { seconds, now })
    return { limit: max, remaining: Math.max(0, max - window.count), resetSeconds }
  }

  /** Throws `RATE_LIMITED` if `max` has already been counted; counts nothing itself. */
  check({ purpose, subject, max, seconds }: Limit, now: number): void {
    const window = this.#purposes.get(purpose)?.get(seconds)?.get(subject)
    if (!window || window.count < max || !isCurrent(window, { seconds, now })) return
    this.rejected.add({ limit: purpose })
    reject(commonErrors, 'RATE_LIMITED', { details: { retryAfterSeconds: secondsLeft(window, { seconds, now }) } })
  }

  /** Takes back a counted call that did not use what is limited. */
  undo({ purpose, subject, seconds }: Omit<Limit, 'max'>, now: number): void {
    if (this.#instances?.hasOtherInstances)
      this.#instances.send(kind, JSON.stringify([purpose, subject, now, seconds, -1] satisfies Count))
    this.#decrement({ purpose, subject, seconds })
  }

  #decrement({ purpose, subject, seconds }: Omit<Limit, 'max'>): void {
    const window = this.#windowsOf(purpose, seconds).get(subject)
    if (window && window.count > 0) window.count -= 1
  }

  #count({ purpose, subject, seconds }: Omit<Limit, 'max'>, now: number): Window {
    const windows = this.#windowsOf(purpose, seconds)
    const window = windows.get(subject)
    if (window && isCurrent(window, { seconds, now })) {
      window.count += 1
      return window
    }
    if (windows.size >= maxSubjects) forgetOldest(windows)
    const next = { startedAt: now, count: 1 }
    windows.set(subject, next)
    return next
  }

  #windowsOf(purpose: string, seconds: number): Map<string, Window> {
    const known = this.#purposes.get(purpose)
    const found = known?.get(seconds)
    if (found) return found
    const windows = new Map<string, Window>()
    if (known) known.set(seconds, windows)
    else this.#purposes.set(purpose, new Map([[seconds, windows]]))
    return windows
  }
}

const isCurrent = ({ startedAt }: Window, { seconds, now }: { seconds: number; now: number }): boolean =>
  now - startedAt < seconds * 1000 && now >= startedAt

const secondsLeft = ({ startedAt }: Window, { seconds, now }: { seconds: number; now: number }): number =>
  Math.max(1, Math.ceil((startedAt + seconds * 1000 - now) / 1000))

function forgetOldest(windows: Map<string, Window>): void {
  let spare = maxSubjects / 10
  for (const subject of windows.keys()) {
    if (spare-- <= 0) return
    windows.delete(subject)
  }
}

/**
 * The network that an address counts as: a single IPv4 address, or an IPv6 /64, which usually belongs to one customer.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()
}
