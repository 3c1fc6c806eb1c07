import { useCallback, useLayoutEffect, useRef } from 'react'
import type { TableList } from './table-list.ts'

/** Height of the top bar, in px. */
const barHeight = 48

/** A page that somebody turns to begins with its first row, as soon as its rows are shown. */
export function useTurnedPage<R>({ state: { setPage }, view: { page } }: TableList<R>) {
  const top = useRef<HTMLDivElement>(null)
  const turned = useRef(false)
  useLayoutEffect(() => {
    if (turned.current && top.current && top.current.getBoundingClientRect().top < barHeight) {
      top.current.scrollIntoView({ block: 'start' })
    }
    turned.current = false
  }, [page])
  const turnTo = useCallback(
    (next: number, options?: { replace?: boolean }) => {
      turned.current = true
      setPage(next, options)
    },
    [setPage],
  )
  return { top, turnTo }
}
