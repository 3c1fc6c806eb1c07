import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { TableList } from '../table/table-list.ts'
import { useSelection } from '../table/selection.ts'
import { useTableState } from '../table/use-table-state.ts'
import { type DialogState, useDialog } from '../navigation/use-dialog.ts'
import type { ListRequest } from './list-request.ts'
import type { ListSource } from './list-source.ts'
import { useLiveRows } from './use-live-rows.ts'
import { type LoadedPage, mismatchOf, shownPage } from './shown-page.ts'

export interface ListPage<R, D, F> extends TableList<R> {
  source: ListSource<R, D, F>
  /** Data behind the visible rows: counts, or all rows of a completely loaded list. */
  data: D | undefined
  /** Filter of the visible rows, which "select all" uses; the filter of the URL is in `state`. */
  filter: F
  pageIds: readonly string[]
  /** Number of selected rows. */
  selected: number
  dialog: DialogState
  /** Closes a finished dialog and deselects its rows: those selected when it was shown, or the one that it is about. */
  finish: () => void
}

/** What a filter of a list and its dialog take. */
export type FilteredList = Pick<ListPage<unknown, unknown, unknown>, 'state' | 'dialog'>

/** Common state of list pages: URL, query, selection and dialogs. */
export function useListPage<R, D, F>(source: ListSource<R, D, F>): ListPage<R, D, F> {
  const state = useTableState(source.table)
  const dialog = useDialog()
  const request = useListRequest(state)
  const query = useMemo(() => source.query(request), [source, request])
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery({
    ...query,
    // A paused query would look as if it were loading.
    networkMode: 'always',
    // The rows of a list that follows changes stay where they are.
    refetchOnReconnect: !source.live,
    refetchOnWindowFocus: !source.live,
  })
  const live = useLiveRows(source, request, { queryKey: query.queryKey, data })

  const [before, setBefore] = useState<LoadedPage<D>>()
  if (data !== undefined && (before?.data !== data || before.request !== request)) setBefore({ data, request })
  const isEmpty = (loaded: LoadedPage<D>) => source.page(loaded.data, loaded.request).rows.length === 0
  const shown = shownPage(request, data, before, isEmpty)
  const of = shown?.request ?? request
  const { rows, total, isMore } = useMemo(
    () => (shown ? source.page(shown.data, of) : { rows: undefined, total: 0, isMore: false }),
    // oxlint-disable-next-line react/exhaustive-deps -- `shown` is made anew on each render
    [source, shown?.data, of],
  )
  const pageIds = useMemo(() => rows?.map(source.rowId) ?? [], [rows, source])
  const filter = useMemo(() => source.filter(of), [source, of])
  const selection = useSelection(JSON.stringify(filter))

  const { release, setPage } = selection
  const { row, close } = dialog
  const finish = useCallback(() => {
    if (row === undefined) release()
    else setPage([row], false)
    close()
  }, [release, setPage, row, close])
  const retry = useCallback(() => void refetch(), [refetch])
  return {
    source,
    state,
    rows,
    total,
    isMore: isMore ?? false,
    canCountAll: source.canCountAll === true,
    rowId: source.rowId,
    selection,
    live,
    view: {
      page: of.page,
      limit: of.limit,
      loadedAt: dataUpdatedAt,
      mismatch: mismatchOf(request, of),
      isFetching,
      error,
      retry,
    },
    data: shown?.data,
    filter,
    pageIds,
    selected: selection.count(total),
    dialog,
    finish,
  }
}

/** The same object until the list state changes, because dialogs use the same URL. */
function useListRequest({ search, page, limit, sort, filters, countAll }: ListRequest): ListRequest {
  const text = JSON.stringify({ search, page, limit, sort, filters, countAll })
  return useMemo(() => JSON.parse(text) as ListRequest, [text])
}
