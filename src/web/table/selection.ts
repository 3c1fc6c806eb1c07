import { useCallback, useMemo, useRef, useState } from 'react'

export interface Selection {
  /** Selected IDs on all pages. Not meaningful while `allMatching`. */
  ids: ReadonlySet<string>
  /** All rows that match the filters, loaded or not. */
  allMatching: boolean
  has: (id: string) => boolean
  count: (total: number) => number
  /**
   * `range` adds everything between the last toggled row and this one, in the order of `pageIds`. Of all matching rows,
   * only the others of this page stay selected: no action takes all but one.
   */
  toggle: (id: string, options: { range?: boolean; pageIds: readonly string[] }) => void
  setPage: (pageIds: readonly string[], on: boolean) => void
  selectAllMatching: () => void
  clear: () => void
}

type Selected = Pick<Selection, 'ids' | 'allMatching'>

/** The selected rows, with those between `from` and this one as this one is after it was toggled. */
export function toggledRows(
  { ids, allMatching }: Selected,
  id: string,
  { from, pageIds }: { from: string | undefined; pageIds: readonly string[] },
): ReadonlySet<string> {
  const ends = [pageIds.indexOf(from ?? ''), pageIds.indexOf(id)]
  const touched = ends.every((end) => end >= 0) ? pageIds.slice(Math.min(...ends), Math.max(...ends) + 1) : [id]
  const before = allMatching ? new Set(pageIds) : ids
  return withRows(before, touched, !before.has(id))
}

/** The selected rows with all of this page, or without them. */
export const pageRows = (
  { ids, allMatching }: Selected,
  pageIds: readonly string[],
  on: boolean,
): ReadonlySet<string> => withRows(allMatching ? new Set(pageIds) : ids, pageIds, on)

function withRows(before: ReadonlySet<string>, ids: readonly string[], on: boolean): ReadonlySet<string> {
  const after = new Set(before)
  for (const id of ids) {
    if (on) after.add(id)
    else after.delete(id)
  }
  return after
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

  const toggle = useCallback<Selection['toggle']>(
    (id, { range = false, pageIds }) => {
      const from = anchor.current
      anchor.current = id
      setMatchingKey(undefined)
      setIds((before) => toggledRows({ ids: before, allMatching }, id, { from: range ? from : id, pageIds }))
    },
    [allMatching],
  )
  const setPage = useCallback<Selection['setPage']>(
    (pageIds, on) => {
      setMatchingKey(undefined)
      setIds((before) => pageRows({ ids: before, allMatching }, pageIds, on))
    },
    [allMatching],
  )
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
