import { sql } from 'kysely'
import type { Reader, Transaction } from './database.ts'
import { isPostgres } from './engine-differences.ts'

/**
 * Locks the rows of a query until the transaction ends, and reads their current values. On SQLite, a transaction is
 * alone with the database anyway. Order the query, so that transactions lock in the same order.
 */
export function locking<Q extends { forUpdate(): Q }>(db: Reader, query: Q): Q {
  return isPostgres(db) ? query.forUpdate() : query
}

/** Separates these advisory locks from those of other kinds. */
const nameLocks = 1

/**
 * Serializes transactions that check whether a name is free in several tables, which no unique index can do. On SQLite,
 * a transaction is alone with the database anyway.
 */
export async function lockNames(trx: Transaction, names: readonly string[]): Promise<void> {
  if (!isPostgres(trx)) return
  // In a fixed order, to prevent deadlocks.
  for (const name of [...names].toSorted())
    await sql`select pg_advisory_xact_lock(${nameLocks}, hashtext(${name}))`.execute(trx)
}
