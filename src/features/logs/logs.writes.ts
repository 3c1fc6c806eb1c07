import { type Insertable, sql } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { deleteRows } from '#database/delete-rows.ts'
import type { RowPosition } from './logs.reads.ts'
import type { LogsTable } from './logs.table.ts'

export type NewLog = Insertable<LogsTable>

/** Inserts the rows whose app still exists. Pass few enough for the engine's parameter limit: 13 per row. */
export async function insertLogs(db: Transaction, rows: readonly NewLog[]): Promise<void> {
  const apps = await db
    .selectFrom('apps')
    .select('id')
    .where('id', 'in', [...new Set(rows.map((row) => row.app_id))])
    .execute()
  const present = new Set(apps.map(({ id }) => id))
  const values = rows.filter((row) => present.has(row.app_id))
  if (values.length > 0) await db.insertInto('logs').values(values).execute()
}

/** Deletes the given rows and returns how many existed. */
export const deleteLogs = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'logs', appId, { column: 'id', values })

/** Deletes up to `limit` of the oldest rows before a position (exclusive) and returns their number. */
export async function deleteOldest(trx: Transaction, { appId, at, id }: RowPosition, limit: number): Promise<number> {
  const oldest = await trx
    .selectFrom('logs')
    .select('id')
    .where('app_id', '=', appId)
    .where(sql<boolean>`(at, id) < (${at}, ${id})`)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return deleteLogs(
    trx,
    appId,
    oldest.map(({ id }) => id),
  )
}

export async function upsertRetention(trx: Transaction, appId: string, days: number): Promise<void> {
  await trx
    .insertInto('log_retention')
    .values({ app_id: appId, days })
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ days }))
    .execute()
}

/** Removes the IP address and machine from rows; the user and the call are kept. */
export async function redactLogs(trx: Transaction, appId: string, ids: readonly number[]): Promise<void> {
  const redacted = { ip: '', hwid_hash: '', machine_hash: '' }
  await trx.updateTable('logs').set(redacted).where('app_id', '=', appId).where('id', 'in', ids).execute()
}
