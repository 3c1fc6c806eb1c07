import { PostgresAdapter, type Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Locks the rows that a query finds until its transaction ends, and reads them as they are then. On SQLite
 * a transaction is alone with the database anyway. Order the query, so that two transactions lock in one order.
 */
export function locking<Q extends { forUpdate(): Q }>(trx: Transaction<Schema>, query: Q): Q {
  return trx.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate() : query
}
