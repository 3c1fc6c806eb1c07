import { i18n } from '@lingui/core'
import type { TableSort } from '../table/table-params.ts'

/** What rows are sorted by, by column. */
export type SortValues<R> = Record<string, (row: R) => string | number>

/** The rows in the order of the sort; equal ones stay as they are. */
export function sortRows<R>(rows: readonly R[], sort: TableSort | undefined, values: SortValues<R>): readonly R[] {
  const valueOf = sort && values[sort.id]
  if (!valueOf) return rows
  const direction = sort.descending ? -1 : 1
  return rows.toSorted((one, other) => direction * compared(valueOf(one), valueOf(other)))
}

const compared = (one: string | number, other: string | number): number =>
  typeof one === 'string' && typeof other === 'string'
    ? one.localeCompare(other, i18n.locale || 'en', { numeric: true })
    : Number(one) - Number(other)
