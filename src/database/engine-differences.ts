import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Reader } from './database.ts'

/** Differences between SQLite and PostgreSQL in queries. */

export const isPostgres = (db: Reader): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/**
 * A column whose index SQLite must not use: it does not know how common a value is and would choose an index that
 * matches nearly every row.
 */
export const withoutIndex = <T>(db: Reader, column: string): RawBuilder<T> =>
  isPostgres(db) ? sql.ref<T>(column) : sql<T>`+${sql.ref(column)}`

export async function databaseBytes(db: Reader): Promise<number> {
  const query = isPostgres(db)
    ? sql<{ n: number }>`select pg_database_size(current_database()) as n`
    : sql<{ n: number }>`select page_count * page_size as n from pragma_page_count(), pragma_page_size()`
  const { rows } = await query.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** Clock of the database server in epoch milliseconds; undefined for SQLite, which has none of its own. */
export async function databaseTime(db: Reader): Promise<number | undefined> {
  if (!isPostgres(db)) return undefined
  const { rows } = await sql<{ at: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(db)
  return rows[0] && Number(rows[0].at)
}

type Value = number | string

type Columns = Readonly<Record<string, 'bigint' | 'text'>>

/**
 * Rows sent with the query, as a `select` of these columns: a single parameter for any number of rows. Half a character
 * becomes U+FFFD as in any other parameter: PostgreSQL rejects JSON with a lone surrogate.
 */
export function selectGivenRows(
  db: Reader,
  columns: Columns,
  rows: readonly (readonly Value[])[],
): RawBuilder<unknown> {
  const wellFormed = rows.map((row) => row.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)))
  return selectRowsOfJson(db, columns, JSON.stringify(wellFormed))
}

/** The same from a JSON array of arrays, which may be a placeholder of a prepared query. */
export function selectRowsOfJson(db: Reader, columns: Columns, json: string): RawBuilder<unknown> {
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
/** SQLite's extended codes for a duplicate primary key and a duplicate value in a unique index. */
const uniqueViolationsOfSqlite = new Set([1555, 2067])

/** Whether a statement failed because of a duplicate value in a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === uniqueViolationOfPostgres || uniqueViolationsOfSqlite.has(Number(errcode))
}
