import type { Column } from './column.ts'

/** Whether the user may hide and move the column: not the one that names the row. */
export const isOptional = <R>(column: Column<R>, index: number) => column.hideable ?? index > 0

/**
 * The columns in the user's order. Fixed columns keep their positions; a new column that the order does not include
 * follows its default neighbor.
 */
export function arranged<R>(columns: readonly Column<R>[], order: readonly string[]): readonly Column<R>[] {
  const optional = columns.filter(isOptional)
  const sequence = optional.filter(({ id }) => order.includes(id))
  sequence.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  for (const [index, column] of optional.entries()) {
    if (order.includes(column.id)) continue
    const before = optional[index - 1]
    sequence.splice(before ? sequence.indexOf(before) + 1 : 0, 0, column)
  }
  return columns.map((column, index) => (isOptional(column, index) ? (sequence.shift() ?? column) : column))
}

/** The order after moving one column by `by` positions; unchanged if that is not possible. */
export function moved(order: readonly string[], id: string, by: number): readonly string[] {
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return order
  const after = order.filter((other) => other !== id)
  after.splice(to, 0, id)
  return after
}
