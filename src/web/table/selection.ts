import { useCallback, useMemo, useRef, useState } from 'react'

export interface Selection {
  /** Selected IDs on all pages. Not meaningful while `allMatching`. */
  ids: ReadonlySet<string>
  /** All rows that match the filters, loaded or not. */
  allMatching: boolean
  has: (id: string) => boolean
  count: (total: number) => number
  /** `range` adds everything between the last toggled row and this one, in the order of `pageIds`. */
  toggle: (id: string, options?: { range?: boolean; pageIds?: readonly string[] }) => void
  setPage: (pageIds: readonly string[], on: boolean) => void
  selectAllMatching: () => void
  clear: () => void
}

/**
 * `resetKey` is a text of the filters; when it changes, a selection of "all matching" is dropped, because it would
 * refer to other rows.
 */
export function useSelection(resetKey = ''): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [matchingKey, setMatchingKey] = useState<string>()
  const anchor = useRef<string>(undefined)
  const allMatching = matchingKey === resetKey
  if (matchingKey !== undefined && !allMatching) {
    setMatchingKey(undefined)
    setIds(new Set())
  }

  const toggle = useCallback<Selection['toggle']>((id, { range = false, pageIds = [] } = {}) => {
    const from = pageIds.indexOf(anchor.current ?? '')
    const to = pageIds.indexOf(id)
    anchor.current = id
    setMatchingKey(undefined)
    setIds((before) => {
      const after = new Set(before)
      const on = !before.has(id)
      const touched = range && from >= 0 && to >= 0 ? pageIds.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      for (const one of touched) {
        if (on) after.add(one)
        else after.delete(one)
      }
      return after
    })
  }, [])
  const setPage = useCallback<Selection['setPage']>((pageIds, on) => {
    setMatchingKey(undefined)
    setIds((before) => {
      const after = new Set(before)
      for (const id of pageIds) {
        if (on) after.add(id)
        else after.delete(id)
      }
      return after
    })
  }, [])
  const selectAllMatching = useCallback(() => setMatchingKey(resetKey), [resetKey])
  const clear = useCallback(() => {
    anchor.current = undefined
    setMatchingKey(undefined)
    setIds(new Set())
  }, [])

  return useMemo(
    () => ({
      ids,
      allMatching,
      has: (id) => allMatching || ids.has(id),
      count: (total) => (allMatching ? total : ids.size),
      toggle,
      setPage,
      selectAllMatching,
      clear,
    }),
    [ids, allMatching, toggle, setPage, selectAllMatching, clear],
  )
}
