import { useDeferredValue } from 'react'

/** More than fit on a screen. */
const firstCount = 40

/**
 * When a list becomes longer, its first rows are rendered at once and the others after they have been painted, in a
 * render that input interrupts. A list that is there from the start is whole, so that Back finds its scroll position.
 */
export function useFirstRows<R>(rows: readonly R[] | undefined): readonly R[] | undefined {
  const painted = useDeferredValue(rows)
  const isGrowing = rows !== undefined && rows.length > (painted?.length ?? 0)
  return isGrowing ? rows.slice(0, firstCount) : rows
}
