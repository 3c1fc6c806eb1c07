import ipaddr from 'ipaddr.js'
import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'

interface Window {
  startedAt: number
  count: number
}

const maxSubjects = 100_000

/** Counts calls by subject in fixed windows, in this process. */
export class RateLimits {
  readonly #windows = new Map<string, Window>()

  /** Throws `RATE_LIMITED` from the call after `most` within `seconds`. `now` in epoch milliseconds. */
  take(subject: string, max: number, seconds: number, now: number): void {
    const key = `${seconds}:${subject}`
    const window = this.#windows.get(key)
    if (!window || now - window.startedAt >= seconds * 1000 || now < window.startedAt) {
      if (this.#windows.size >= maxSubjects) this.#forgetOldest()
      this.#windows.set(key, { startedAt: now, count: 1 })
      return
    }
    window.count += 1
    if (window.count <= max) return
    const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAt + seconds * 1000 - now) / 1000))
    refuse(commonRefusals, 'RATE_LIMITED', { details: { retryAfterSeconds } })
  }

  #forgetOldest(): void {
    let spare = maxSubjects / 10
    for (const key of this.#windows.keys()) {
      if (spare-- <= 0) return
      this.#windows.delete(key)
    }
  }
}

/** The network an address counts as: one IPv4 address, or an IPv6 /64, which one customer owns whole. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()
}
