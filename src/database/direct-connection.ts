import type { DatabaseConnection } from 'kysely'
import type { Reader } from './database.ts'
import { OneConnectionAdapter } from './sqlite/one-connection-adapter.ts'

const connections = new WeakMap<Reader, DatabaseConnection>()

/** `handle` runs all of its statements on `connection`. */
export const setDirectConnection = (handle: Reader, connection: DatabaseConnection): void =>
  void connections.set(handle, connection)

/** The only connection of a handle, if it has one: a prepared query runs there without Kysely acquiring one. */
export function directConnectionOf(db: Reader): DatabaseConnection | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof OneConnectionAdapter ? adapter.connection : connections.get(db)
}
