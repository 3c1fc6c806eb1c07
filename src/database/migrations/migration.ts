import type { Engine } from '../database.ts'

/**
 * A numbered step. After the first release it only adds, and a column goes in a later version than its last reader:
 * during a rolling upgrade processes of the version before go on beside it.
 */
export interface Migration {
  name: string
  /** Statements for one engine, separated as the engine takes them in one go. */
  sql: (engine: Engine) => string
}
