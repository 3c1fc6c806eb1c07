import type { Insertable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import type { Import } from './imports.reads.ts'
import type { ImportBatchesTable, ImportsTable } from './imports.table.ts'

export const insertImport = (trx: Transaction, row: Insertable<ImportsTable>): Promise<Import> =>
  trx.insertInto('imports').values(row).returningAll().executeTakeFirstOrThrow()

/** The import, locked until the transaction ends. */
export const lockImportRow = (trx: Transaction, appId: string, id: string): Promise<Import | undefined> =>
  locking(
    trx,
    trx.selectFrom('imports').selectAll().where('id', '=', id).where('app_id', '=', appId),
  ).executeTakeFirst()

export async function insertBatch(trx: Transaction, row: Insertable<ImportBatchesTable>): Promise<void> {
  await trx.insertInto('import_batches').values(row).execute()
}

export const addToImport = (
  trx: Transaction,
  id: string,
  done: { rows: number; created: number; overwritten: number; skipped: number },
): Promise<Import> =>
  trx
    .updateTable('imports')
    .set((row) => ({
      batches: row('batches', '+', 1),
      done_rows: row('done_rows', '+', done.rows),
      created: row('created', '+', done.created),
      overwritten: row('overwritten', '+', done.overwritten),
      skipped: row('skipped', '+', done.skipped),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function markUndone(trx: Transaction, id: string, now: number): Promise<void> {
  await trx.updateTable('imports').set({ undone_at: now }).where('id', '=', id).where('undone_at', 'is', null).execute()
}
