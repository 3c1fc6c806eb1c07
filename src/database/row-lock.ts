import { sql, type Transaction } from 'kysely'
import { isPostgres } from './engine-differences.ts'
import type { Schema } from './schema.ts'

/**
 * Locks the rows that a query finds until its transaction ends, and reads them as they are then. On SQLite
 * a transaction is alone with the database anyway. Order the query, so that two transactions lock in one order.
 */
export function locking<Q extends { forUpdate(): Q }>(trx: Transaction<Schema>, query: Q): Q {
  return isPostgres(trx) ? query.forUpdate() : query
}

/** Keeps these locks apart from those of other kinds. */
const nameLocks = 1

/**
 * Lets one transaction at a time decide whether a name is free that several tables may have, which no index can. On
 * SQLite a transaction is alone with the database anyway.
 */
export async function lockNames(trx: Transaction<Schema>, names: readonly string[]): Promise<void> {
  if (!isPostgres(trx)) return
  // In one order, so that two transactions never wait for each other.
  for (const name of [...names].toSorted())
    await sql`select pg_advisory_xact_lock(${nameLocks}, hashtext(${name}))`.execute(trx)
}
