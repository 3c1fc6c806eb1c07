import { sql, type Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** Deletes rows of an app by the values of one column, and gives their number. */
export async function deleteRows(
  trx: Transaction<Schema>,
  table: keyof Schema,
  appId: string,
  { column, values }: { column: string; values: readonly (number | string)[] },
): Promise<number> {
  if (values.length === 0) return 0
  const rows = sql`app_id = ${appId} and ${sql.ref(column)} in (${sql.join([...values])})`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${rows}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
