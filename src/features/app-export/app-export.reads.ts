import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import { columnsOf, type ExportedTable } from './exported-tables.rules.ts'

export type ExportedRow = Readonly<Record<string, string | number | null>>

const rowsPerRead = 500

/** All rows of an app in key order, in batches; ends when the caller disconnects. */
export async function* scanTable(
  { reports }: Pick<Database, 'reports'>,
  table: ExportedTable,
  appId: string,
): AsyncGenerator<readonly ExportedRow[]> {
  const { key, named } = table
  const column = (name: string): RawBuilder<unknown> => sql`t.${sql.ref(name)}`
  const columns = [...new Set([...key, ...columnsOf(table)])].map(column)
  const others = (named?.text ?? []).map((name) => sql`named.${sql.ref(name)} as ${sql.ref(`named_${name}`)}`)
  const same = Object.entries(named?.on ?? {}).map(([there, here]) => sql`named.${sql.ref(there)} = ${column(here)}`)
  const joined = named ? sql`left join ${sql.table(named.table)} named on ${sql.join(same, sql` and `)}` : sql``
  const keys = sql.join(key.map(column))
  const order = key.length > 0 ? sql`order by ${keys}` : sql``
  let after = sql``
  for (;;) {
    throwIfAborted()
    const { rows } = await sql<ExportedRow>`
      select ${sql.join([...columns, ...others])} from ${sql.table(table.table)} t ${joined}
      where t.app_id = ${appId} ${after} ${order} limit ${rowsPerRead}`.execute(reports)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (key.length === 0) return
    after = sql`and (${keys}) > (${sql.join(key.map((name) => last[name]))})`
  }
}
