import { useDeferredValue } from 'react'

/** More than fit on a screen. */
const firstCount = 30

export interface FirstRows<R> {
  rendered: readonly R[] | undefined
  /** Rows that follow in the next render: their place is kept, so that the page doesn't change its height. */
  waiting: number
}

/**
 * When a list becomes longer, its first rows are rendered at once and the others after they have been painted, in a
 * render that input interrupts. A list that is there from the start is whole, so that Back finds its scroll position.
 */
export function useFirstRows<R>(rows: readonly R[] | undefined): FirstRows<R> {
  const painted = useDeferredValue(rows)
  const isLonger = rows !== undefined && rows.length > Math.max(firstCount, painted?.length ?? 0)
  if (!isLonger) return { rendered: rows, waiting: 0 }
  return { rendered: rows.slice(0, firstCount), waiting: rows.length - firstCount }
}
