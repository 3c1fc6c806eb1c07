import { useEffect, useRef } from 'react'
import type { TableBodyProps } from './table-list.ts'

export interface PageWalk extends Pick<TableBodyProps<object>, 'onTurn'> {
  list: Pick<TableBodyProps<object>['list'], 'state' | 'total' | 'view'>
  /** The row whose panel is open. */
  openedId: string | undefined
  /** Rows that are rendered. */
  count: number
  /** Shows the row at a place in the panel. */
  show: (index: number) => void
}

/** Turns the page that the panel walks past the end of: the next one begins with its first row, the one before with its last. */
export function usePageWalk({ list: { state, total, view }, openedId, count, show, onTurn }: PageWalk) {
  const walk = useRef<{ from: number; to: number; openedId: string }>(undefined)
  useEffect(() => {
    const { current } = walk
    if (!current) return
    const { from, to } = current
    const hasLeft = openedId !== current.openedId || (state.page !== from && state.page !== to)
    const hasArrived = view.mismatch === 'none' && view.page === to && count > 0
    if (hasLeft || hasArrived) walk.current = undefined
    if (hasArrived && !hasLeft) show(to > from ? 0 : count - 1)
  })
  return (by: number) => {
    const to = state.page + by
    if (openedId === undefined || view.mismatch !== 'none' || to < 1 || (to - 1) * state.limit >= total) return
    walk.current = { from: state.page, to, openedId }
    // One step back leaves the panel, however many pages it walked through.
    onTurn(to, { replace: true })
  }
}
