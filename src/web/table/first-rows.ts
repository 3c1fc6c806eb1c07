import { useDeferredValue } from 'react'

/** More than fit on a screen. */
const firstCount = 30

export interface FirstRows<R> {
  rendered: readonly R[] | undefined
  /** Rows that follow in the next render: their place is kept, so that the page doesn't change its height. */
  waiting: number
}

/**
 * When a list becomes longer, or shows another page, its first rows are rendered at once and the others after they have
 * been painted, in a render that input interrupts. A list that is there from the start is whole, so that Back finds its
 * scroll position.
 */
export function useFirstRows<R>(rows: readonly R[] | undefined, rowId: (row: R) => string): FirstRows<R> {
  const painted = useDeferredValue(rows)
  if (rows === undefined || rows === painted || rows.length <= firstCount) return { rendered: rows, waiting: 0 }
  const isGrowing = rows.length > (painted?.length ?? 0)
  if (!isGrowing && !isAnotherPage(rows, painted ?? [], rowId)) return { rendered: rows, waiting: 0 }
  return { rendered: rows.slice(0, firstCount), waiting: rows.length - firstCount }
}

function isAnotherPage<R>(rows: readonly R[], before: readonly R[], rowId: (row: R) => string): boolean {
  const ids = new Set(before.map(rowId))
  return !rows.some((row) => ids.has(rowId(row)))
}
