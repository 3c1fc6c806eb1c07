import { keptText } from '#server/http/kept-text.ts'

/** Remembers nonces for as long as their requests can be replayed, in two generations. */
export class RecentNonces {
  readonly #ttlMs: number
  #newer = new Set<string>()
  #older = new Set<string>()
  #turnedAt = 0

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  /** False if the nonce was already used. `now` in epoch milliseconds. */
  take(nonce: string, now: number): boolean {
    // Setting the clock back extends the life of nonces, never shortens it.
    if (now < this.#turnedAt) this.#turnedAt = now
    if (now - this.#turnedAt >= this.#ttlMs) {
      this.#older = now - this.#turnedAt >= 2 * this.#ttlMs ? new Set() : this.#newer
      this.#newer = new Set()
      this.#turnedAt = now
    }
    if (this.#older.has(nonce)) return false
    // One look-up instead of two, in a set that may exceed the caches of the processor.
    const { size } = this.#newer
    return this.#newer.add(keptText(nonce)).size > size
  }
}
