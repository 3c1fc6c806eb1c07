import { fingerprintOf, FingerprintSet } from './fingerprint-set.ts'

/** Remembers nonces for as long as their requests can be replayed, in two generations. */
export class RecentNonces {
  readonly #ttlMs: number
  #newer = new FingerprintSet()
  #older: FingerprintSet | undefined
  #turnedAt = 0

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  /** False if the nonce was already used. `now` in epoch milliseconds. */
  take(nonce: string, now: number): boolean {
    // Setting the clock back extends the life of nonces, never shortens it.
    if (now < this.#turnedAt) this.#turnedAt = now
    if (now - this.#turnedAt >= this.#ttlMs) {
      this.#older = now - this.#turnedAt >= 2 * this.#ttlMs ? undefined : this.#newer
      this.#newer = new FingerprintSet()
      this.#turnedAt = now
    }
    const fingerprint = fingerprintOf(nonce)
    if (this.#older?.has(fingerprint)) return false
    return this.#newer.add(fingerprint)
  }
}
