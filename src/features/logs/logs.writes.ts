import type { Insertable, Transaction } from 'kysely'
import type { Schema } from '#database/schema.ts'
import type { LogsTable } from './logs.table.ts'

export type NewLog = Insertable<LogsTable>

/** Those whose app still exists. Few enough rows that an engine's limit of parameters holds: 11 a row. */
export async function insertLogs(db: Transaction<Schema>, rows: readonly NewLog[]): Promise<void> {
  const apps = await db
    .selectFrom('apps')
    .select('id')
    .where('id', 'in', [...new Set(rows.map((row) => row.app_id))])
    .execute()
  const present = new Set(apps.map(({ id }) => id))
  const values = rows.filter((row) => present.has(row.app_id))
  if (values.length > 0) await db.insertInto('logs').values(values).execute()
}
