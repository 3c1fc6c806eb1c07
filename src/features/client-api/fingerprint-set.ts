import { randomBytes } from 'node:crypto'

/** Random for each process, so that an attacker can't choose texts that share a cell. */
const seed = { high: randomBytes(4).readInt32LE(), low: randomBytes(4).readInt32LE() }
const firstCells = 8
/** As many as 6 bits tell apart. Each grows by itself: a single one of millions of texts would delay all requests. */
const tables = 64

/**
 * Remembers short ASCII texts by fingerprints of 63 bits, 8 bytes each. A text that was added is always found; a new
 * one is taken for one of n others with a probability of n / 2^63. Instead of texts all over the heap, a look-up reads
 * one table.
 */
export class FingerprintSet {
  readonly #tables = Array.from({ length: tables }, () => new FingerprintTable())

  has({ high, low }: Fingerprint): boolean {
    return this.#tableOf(high).has(high, low)
  }

  /** False if the set already has it. */
  add({ high, low }: Fingerprint): boolean {
    return this.#tableOf(high).add(high, low)
  }

  #tableOf(high: number): FingerprintTable {
    // By bits that no table uses to find a cell.
    return this.#tables[high >>> 26] as FingerprintTable
  }
}

class FingerprintTable {
  /** Pairs of `high` and `low`; where `low` is 0, the cell is empty. At least half of the cells are. */
  #cells = new Int32Array(2 * firstCells)
  #size = 0

  has(high: number, low: number): boolean {
    return this.#cells[cellOf(this.#cells, high, low) + 1] !== 0
  }

  add(high: number, low: number): boolean {
    const at = cellOf(this.#cells, high, low)
    if (this.#cells[at + 1] !== 0) return false
    this.#cells[at] = high
    this.#cells[at + 1] = low
    this.#size += 1
    if (this.#size * 4 > this.#cells.length) this.#grow()
    return true
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#cells.length)
    for (let from = 0; from < this.#cells.length; from += 2) {
      const [high, low] = [this.#cells[from] as number, this.#cells[from + 1] as number]
      if (low === 0) continue
      const at = cellOf(larger, high, low)
      larger[at] = high
      larger[at + 1] = low
    }
    this.#cells = larger
  }
}

export interface Fingerprint {
  high: number
  /** Never 0. */
  low: number
}

/** Of a text, or of a text within what `scope` is the fingerprint of. */
export function fingerprintOf(text: string, scope = seed): Fingerprint {
  let { high, low } = scope
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
function cellOf(cells: Int32Array, high: number, low: number): number {
  const last = cells.length - 1
  let at = (high << 1) & last
  while (cells[at + 1] !== 0 && (cells[at] !== high || cells[at + 1] !== low)) at = (at + 2) & last
  return at
}
