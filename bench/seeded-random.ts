const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The same numbers in each run (mulberry32), so that the figures of two runs use the same data. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** An integer from 0 to `end - 1`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  text(length: number): string {
    let text = ''
    for (let at = 0; at < length; at++) text += characters[this.below(characters.length)]
    return text
  }
}
