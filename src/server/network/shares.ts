/** Limits how much of a scarce resource one owner may hold at once. */
export interface ShareLimits {
  max: number
  maxPerOwner: number
}

/**
 * Counts what each owner holds. An owner may hold at most `maxPerOwner` and never more than half of what is left; the
 * last quarter is reserved for work known to be short, so that even many owners cannot use up everything.
 */
export class Shares {
  readonly #limits: ShareLimits
  readonly #byOwner = new Map<string, number>()
  #total = 0

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  get total(): number {
    return this.#total
  }

  /** True once a quarter is in use: long work then gets a shorter timeout. */
  get isCrowded(): boolean {
    return this.#total * 4 >= this.#limits.max
  }

  canTake(owner: string, isKnown: boolean): boolean {
    const own = this.#byOwner.get(owner) ?? 0
    const left = this.#limits.max * (isKnown ? 1 : 0.75) - this.#total
    return left > 0 && own < Math.max(1, Math.min(this.#limits.maxPerOwner, Math.floor(left / 2)))
  }

  take(owner: string): void {
    this.#total += 1
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? 0) + 1)
  }

  release(owner: string): void {
    this.#total -= 1
    const own = (this.#byOwner.get(owner) ?? 1) - 1
    if (own === 0) this.#byOwner.delete(owner)
    else this.#byOwner.set(owner, own)
  }
}
