import { type RawBuilder, sql } from 'kysely'
import { readSort, type SortBy } from '#contract/sort-field.ts'
import type { Reader } from './database.ts'
import { isPostgres } from './engine-differences.ts'

/** What a list sorts by, by the names of its `sort`: a column, or an expression. */
type SortColumns<C extends string> = Record<C, string | RawBuilder<unknown>>

/**
 * The first `orderBy` of a list. Rows with equal values need a second one, by their ID: otherwise pages overlap.
 */
export function sortOrder<C extends string>(
  columns: SortColumns<C>,
  sort: SortBy<C>,
): [by: RawBuilder<unknown>, direction: 'asc' | 'desc'] {
  const { column, descending } = readSort(sort)
  const by = columns[column]
  return [typeof by === 'string' ? sql.ref(by) : by, descending ? 'desc' : 'asc']
}

/**
 * Texts in the order of their characters, as SQLite compares them and PostgreSQL does only in a database of locale C.
 * No index has this order there, so it is for lists that are read whole.
 */
export const exactOrder = (db: Reader, text: RawBuilder<unknown>): RawBuilder<string> =>
  isPostgres(db) ? sql`(${text}) collate "C"` : sql`${text}`

/** The same with A to Z as a to z. */
export const textOrder = (db: Reader, text: RawBuilder<unknown>): RawBuilder<string> =>
  sql`lower(${exactOrder(db, text)})`

/** Later than any time: what never ends is sorted like this. */
export const longestTime = 9_007_199_254_740_991

/**
 * What a page of a long list is sorted by instead of its ID, in the order of an index of the app. Rows with equal values
 * follow their ID.
 */
export interface RowOrder {
  by: readonly RawBuilder<unknown>[]
  descending: boolean
  /** Without a value first; last if descending. */
  isEmptyFirst?: boolean
  /** A column that is unique in the app and sorted by alone: its index does not have the ID. */
  unique?: string
}

/** The same order by expressions, which have no index: the rows are found by their filter and then sorted. */
export const withoutIndexes = (order: RowOrder): RowOrder => ({
  ...order,
  by: order.by.map((each) => (order.unique === undefined ? sql`${each} + 0` : sql`${each} || ''`)),
})
