import type { DataLocation, Places } from './data-place.ts'
import type { Scratch } from './scratch.ts'

/** One line of the report. A figure without a target only explains another one. */
export interface Figure {
  name: string
  value: number
  unit: 'per second' | '%' | 'ms' | 's' | 'KB' | 'MB' | 'µs' | '×' | 'count'
  target?: { min: number } | { max: number }
  note?: string
}

export interface Bench {
  quick: boolean
  scratch: Scratch
  places: Places
  /** A new, empty database with the rate limits out of the way. */
  newPlace(): Promise<DataLocation>
  say(text: string): void
}

export interface Measurement {
  name: string
  /** Measurements that do not depend on the database run once, with the first engine. */
  engines: 'each' | 'first'
  run(bench: Bench): Promise<Figure[]>
}

/** Too little work would make a figure meaningless, so the measurement fails instead. */
export function atLeast(min: number, done: number, what: string): void {
  if (done < min) throw new Error(`Only ${done} ${what}; a figure needs ${min}`)
}
