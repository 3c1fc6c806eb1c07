import type { Selectable } from 'kysely'
import type { Reader } from './database.ts'
import type { Schema } from './schema.ts'

type AppTable = { [T in keyof Schema]: Schema[T] extends { app_id: string } ? T : never }[keyof Schema]

/** Rows of an app by the values of one column, as a transaction sees them; in no order. */
export async function rowsOfApp<T extends AppTable>(
  db: Reader,
  table: T,
  appId: string,
  { column, values }: { column: keyof Schema[T] & string; values: readonly (number | string)[] },
): Promise<Selectable<Schema[T]>[]> {
  if (values.length === 0) return []
  const rows = db
    .selectFrom(table as 'users')
    .selectAll()
    .where('app_id', '=', appId)
    .where(column as 'id', 'in', [...values] as number[])
  return (await rows.execute()) as unknown as Selectable<Schema[T]>[]
}
