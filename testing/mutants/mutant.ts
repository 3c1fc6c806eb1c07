/** A fault that somebody could make, planted to see whether a test notices it. */
export interface Mutant {
  /** What it breaks, in one line; unique. */
  guarantee: string
  file: string
  /** Stands exactly once in the file. */
  search: string
  replacement: string
  /** The tests nearest to it, one of which must fail; where they are of the browser, all of them are. */
  tests: readonly string[]
  /** Where only one project of vitest.config.ts can show it; SQLite unless said otherwise. */
  engine?: 'postgres' | 'two-processes'
}
