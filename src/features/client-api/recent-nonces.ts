import { fingerprintOf, FingerprintSet } from './fingerprint-set.ts'
import type { Nonce } from './used-nonces.ts'

/** The clock window is ±120 s, so a request cannot be replayed after four minutes. */
export const replayMs = 240_000

/** Remembers nonces for as long as their requests can be replayed, in two generations. */
export class RecentNonces {
  readonly #ttlMs: number
  #newer = new FingerprintSet()
  #older: FingerprintSet | undefined
  #turnedAt = 0

  constructor(ttlMs = replayMs) {
    this.#ttlMs = ttlMs
  }

  /** False if the nonce was already used in its scope. */
  take({ scope, nonce, now }: Nonce): boolean {
    // Setting the clock back extends the life of nonces, never shortens it.
    if (now < this.#turnedAt) this.#turnedAt = now
    if (now - this.#turnedAt >= this.#ttlMs) {
      this.#older = now - this.#turnedAt >= 2 * this.#ttlMs ? undefined : this.#newer
      this.#newer = new FingerprintSet()
      this.#turnedAt = now
    }
    const fingerprint = fingerprintOf(nonce, fingerprintOf(scope))
    if (this.#older?.has(fingerprint)) return false
    return this.#newer.add(fingerprint)
  }
}
