import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Reader } from './database.ts'

/** What queries say or rely on differently on SQLite and PostgreSQL. */

export const isPostgres = (db: Reader): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/**
 * A column that SQLite looks at row by row, without an index on it: it doesn't know how common a value is, and would take
 * an index that finds nearly every row.
 */
export const withoutIndex = <T>(db: Reader, column: string): RawBuilder<T> =>
  isPostgres(db) ? sql.ref<T>(column) : sql<T>`+${sql.ref(column)}`

/** Whether a row with a higher id was committed later: one transaction writes at a time on SQLite. */
export const idsFollowCommits = (db: Reader): boolean => !isPostgres(db)

type Value = number | string

/** Rows that come with the query, as a `select` of these columns: one parameter, however many they are. */
export function selectGivenRows(
  db: Reader,
  columns: Readonly<Record<string, 'bigint' | 'text'>>,
  rows: readonly (readonly Value[])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  const values = Object.entries(columns).map(([name, type], at) =>
    isPostgres(db)
      ? sql`cast(item.value ->> ${sql.lit(at)} as ${sql.raw(type)}) as ${sql.ref(name)}`
      : sql`json_extract(item.value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`,
  )
  const items = isPostgres(db)
    ? sql`jsonb_array_elements(cast(${json} as jsonb)) as item (value)`
    : sql`json_each(${json}) as item`
  return sql`select ${sql.join(values)} from ${items}`
}

const uniqueViolationOfPostgres = '23505'
/** SQLite's extended codes of a primary key and of another unique index that have the value already. */
const uniqueViolationsOfSqlite = new Set([1555, 2067])

/** Whether a statement failed because another row has a value that may stand once. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === uniqueViolationOfPostgres || uniqueViolationsOfSqlite.has(Number(errcode))
}
