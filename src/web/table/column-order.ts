import type { Column } from './column.ts'

/** What the reader may hide and move: not the column that names the row. */
export const isOptional = <R>(column: Column<R>, index: number) => column.hideable ?? index > 0

/**
 * The columns in the reader's order. Those that can't be moved keep their places; one that the order does not
 * know, because it is newer, stands behind its usual neighbour.
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

/** The order after one column went `by` places on; the same when there is no such place. */
export function moved(order: readonly string[], id: string, by: number): readonly string[] {
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return order
  const after = order.filter((other) => other !== id)
  after.splice(to, 0, id)
  return after
}
