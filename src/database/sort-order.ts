import { type RawBuilder, sql } from 'kysely'
import { readSort, type SortBy } from '#contract/sort-field.ts'

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
