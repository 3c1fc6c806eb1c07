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
  /** Deselects what was selected when this object was made: its action is done. What was selected since stays. */
  release: () => void
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

interface Chosen {
  ids: ReadonlySet<string>
  /** The filters of "all matching". */
  matchingKey?: string | undefined
}

const none: Chosen = { ids: new Set() }

const selectedOf = ({ ids, matchingKey }: Chosen, resetKey: string): Selected => ({
  ids,
  allMatching: matchingKey === resetKey,
})

/** The selected rows without those of a finished action. */
export function releasedRows(now: Chosen, finished: Chosen): Chosen {
  if (finished.matchingKey !== now.matchingKey) return now
  return finished.matchingKey === undefined ? { ids: withRows(now.ids, [...finished.ids], false) } : none
}

/**
 * `resetKey` is a text of the filters; when it changes, a selection of "all matching" is dropped, because it would
 * refer to other rows.
 */
export function useSelection(resetKey = ''): Selection {
  const [{ ids, matchingKey }, setSelected] = useState(none)
  const anchor = useRef<string>(undefined)
  const allMatching = matchingKey === resetKey
  if (matchingKey !== undefined && !allMatching) setSelected(none)

  const toggle = useCallback<Selection['toggle']>(
    (id, { range = false, pageIds }) => {
      const from = anchor.current
      anchor.current = id
      setSelected((before) => {
        return { ids: toggledRows(selectedOf(before, resetKey), id, { from: range ? from : id, pageIds }) }
      })
    },
    [resetKey],
  )
  const setPage = useCallback<Selection['setPage']>(
    (pageIds, on) => setSelected((before) => ({ ids: pageRows(selectedOf(before, resetKey), pageIds, on) })),
    [resetKey],
  )
  const selectAllMatching = useCallback(() => setSelected({ ids: none.ids, matchingKey: resetKey }), [resetKey])
  const release = useCallback(() => setSelected((now) => releasedRows(now, { ids, matchingKey })), [ids, matchingKey])
  const clear = useCallback(() => {
    anchor.current = undefined
    setSelected(none)
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
      release,
      clear,
    }),
    [ids, allMatching, toggle, setPage, selectAllMatching, release, clear],
  )
}
