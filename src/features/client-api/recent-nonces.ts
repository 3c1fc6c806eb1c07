/** Remembers nonces for as long as their requests could be replayed, in two generations. */
export class RecentNonces {
  readonly #ttlMs: number
  #newer = new Set<string>()
  #older = new Set<string>()
  #turnedAt = 0

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  /** False when it was taken before. `now` in epoch milliseconds. */
  take(nonce: string, now: number): boolean {
    if (now - this.#turnedAt >= this.#ttlMs || now < this.#turnedAt) {
      this.#older = now - this.#turnedAt >= 2 * this.#ttlMs ? new Set() : this.#newer
      this.#newer = new Set()
      this.#turnedAt = now
    }
    if (this.#newer.has(nonce) || this.#older.has(nonce)) return false
    this.#newer.add(nonce)
    return true
  }
}
