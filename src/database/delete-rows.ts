import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from './database.ts'
import { isPostgres } from './engine-differences.ts'
import type { Schema } from './schema.ts'

/** Deletes rows of an app by the values of one column; returns their number. */
export async function deleteRows(
  trx: Transaction,
  table: keyof Schema,
  appId: string,
  { column, values }: { column: string; values: readonly (number | string)[] },
): Promise<number> {
  if (values.length === 0) return 0
  const rows = sql`app_id = ${appId} and ${sql.ref(column)} in (${sql.join([...values])})`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${rows}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes at most `limit` rows that match a condition, with its `order by` if an index has one; returns their number.
 * Runs alone in its transaction, because PostgreSQL must be made to use the index: if many rows seem to match, it would
 * rather scan the table from its start for each batch.
 */
export async function deleteBatch(
  trx: Transaction,
  table: string,
  rows: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const postgres = isPostgres(trx)
  if (postgres) await sql`set local enable_seqscan = off`.execute(trx)
  const key = sql.raw(postgres ? 'ctid' : 'rowid')
  // Rows that another process is deleting don't count toward the limit: fewer than it means that none are left.
  const locked = sql.raw(postgres ? 'for update' : '')
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${key} in
      (select ${key} from ${sql.table(table)} where ${rows} limit ${limit} ${locked})`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

const rowsPerTransaction = 500

/**
 * Deletes all rows that match a condition with its `order by`, in batches small enough for heartbeats to run in
 * between.
 */
export async function deleteInBatches(
  { write }: Pick<Database, 'write'>,
  table: string,
  rows: RawBuilder<unknown>,
): Promise<void> {
  while ((await write((tx) => deleteBatch(tx.db, table, rows, rowsPerTransaction))) === rowsPerTransaction);
}
