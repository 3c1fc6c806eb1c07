import { randomBytes } from 'node:crypto'

/** Random for each process, so that an attacker can't choose texts that share a cell. */
const [highSeed, lowSeed] = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()]
const firstCells = 8

/**
 * Remembers short ASCII texts by fingerprints of 63 bits, 8 bytes each. A text that was added is always found; a new
 * one is taken for one of n others with a probability of n / 2^63. Instead of texts all over the heap, a look-up reads
 * one table.
 */
export class FingerprintSet {
  /** Pairs of `high` and `low`; where `low` is 0, the cell is empty. At least half of the cells are. */
  #table = new Int32Array(2 * firstCells)
  #size = 0

  has({ high, low }: Fingerprint): boolean {
    return this.#table[cellOf(this.#table, high, low) + 1] !== 0
  }

  /** False if the set already has it. */
  add({ high, low }: Fingerprint): boolean {
    const at = cellOf(this.#table, high, low)
    if (this.#table[at + 1] !== 0) return false
    this.#table[at] = high
    this.#table[at + 1] = low
    this.#size += 1
    if (this.#size * 4 > this.#table.length) this.#grow()
    return true
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#table.length)
    for (let from = 0; from < this.#table.length; from += 2) {
      const [high, low] = [this.#table[from] as number, this.#table[from + 1] as number]
      if (low === 0) continue
      const at = cellOf(larger, high, low)
      larger[at] = high
      larger[at + 1] = low
    }
    this.#table = larger
  }
}

export interface Fingerprint {
  high: number
  /** Never 0. */
  low: number
}

export function fingerprintOf(text: string): Fingerprint {
  let high = highSeed
  let low = lowSeed
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x9e3779b1)
    high ^= high >>> 15
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 13
  }
  high = Math.imul(high ^ (low >>> 16), 0xc2b2ae35)
  return { high: high ^ (high >>> 16), low: low | 1 }
}

/** The cell of a fingerprint, or the empty cell where it belongs. */
function cellOf(table: Int32Array, high: number, low: number): number {
  const last = table.length - 1
  let at = (high << 1) & last
  while (table[at + 1] !== 0 && (table[at] !== high || table[at + 1] !== low)) at = (at + 2) & last
  return at
}
