import ipaddr from 'ipaddr.js'
import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'
import { Counts } from './counts.ts'
import type { PeerMessages } from './peer-messages.ts'

interface Window {
  startedAt: number
  count: number
}

const maxSubjects = 100_000

export interface Limit {
  /** What is counted, such as `registration`. A flood of subjects of one purpose pushes out none of another. */
  purpose: string
  subject: string
  max: number
  seconds: number
}

const kind = 'counts'
/** What one process says to the others: purpose, subject, epoch milliseconds, seconds. */
type Count = [purpose: string, subject: string, at: number, seconds: number]

/**
 * Counts calls by purpose and subject in fixed windows, in this process; what other processes have counted is added a
 * moment later (R-RATE-01).
 */
export class RateLimits {
  readonly #purposes = new Map<string, Map<string, Window>>()
  /** Refused calls by what is limited, for the figures. */
  readonly refused = new Counts<'limit'>()
  readonly #peers: PeerMessages | undefined

  constructor(peers?: PeerMessages) {
    this.#peers = peers
    peers?.on(kind, (entries) => {
      for (const entry of entries) {
        const [purpose, subject, at, seconds] = JSON.parse(entry) as Count
        // Its clock may be a little behind: that begins no new window.
        const startedAt = this.#windowsOf(`${purpose} ${seconds}`).get(subject)?.startedAt ?? at
        this.#count({ purpose, subject, seconds }, Math.max(at, startedAt))
      }
    })
  }

  /** Throws `RATE_LIMITED` from the call after `max` within `seconds`. `now` in epoch milliseconds. */
  take({ purpose, subject, max, seconds }: Limit, now: number): void {
    if (this.#peers?.hasPeers) this.#peers.send(kind, JSON.stringify([purpose, subject, now, seconds] satisfies Count))
    const window = this.#count({ purpose, subject, seconds }, now)
    if (window.count <= max) return
    this.refused.add({ limit: purpose })
    const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAt + seconds * 1000 - now) / 1000))
    refuse(commonRefusals, 'RATE_LIMITED', { details: { retryAfterSeconds } })
  }

  #count({ purpose, subject, seconds }: Omit<Limit, 'max'>, now: number): Window {
    const windows = this.#windowsOf(`${purpose} ${seconds}`)
    const window = windows.get(subject)
    if (window && now - window.startedAt < seconds * 1000 && now >= window.startedAt) {
      window.count += 1
      return window
    }
    if (windows.size >= maxSubjects) forgetOldest(windows)
    const next = { startedAt: now, count: 1 }
    windows.set(subject, next)
    return next
  }

  #windowsOf(purpose: string): Map<string, Window> {
    const known = this.#purposes.get(purpose)
    if (known) return known
    const windows = new Map<string, Window>()
    this.#purposes.set(purpose, windows)
    return windows
  }
}

function forgetOldest(windows: Map<string, Window>): void {
  let spare = maxSubjects / 10
  for (const subject of windows.keys()) {
    if (spare-- <= 0) return
    windows.delete(subject)
  }
}

/** The network an address counts as: one IPv4 address, or an IPv6 /64, which one customer owns whole. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()
}
