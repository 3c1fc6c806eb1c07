import type { DataPlace, Places } from './data-place.ts'
import type { Scratch } from './scratch.ts'

/** One line of the report. Without a target it only explains another line. */
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
  newPlace(): Promise<DataPlace>
  say(text: string): void
}

export interface Measurement {
  name: string
  /** What doesn't depend on the database is measured once, with the first engine. */
  engines: 'each' | 'first'
  run(bench: Bench): Promise<Figure[]>
}

/** A measurement of too little work says nothing: it fails instead of giving a figure. */
export function atLeast(min: number, done: number, what: string): void {
  if (done < min) throw new Error(`Only ${done} ${what}; a figure needs ${min}`)
}
