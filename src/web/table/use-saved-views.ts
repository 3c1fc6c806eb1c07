import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { viewQueryOf } from '#contract/saved-view.ts'
import type { TableId } from '#contract/table-ids.ts'
import { call } from '../api/call.ts'
import type { CallReply } from '../api/call-types.ts'
import { queryClient } from '../api/query-client.ts'
import { accountKey } from '../api/query-keys.ts'
import { afterPaint } from '../browser/after-paint.ts'
import { createStore, useStore } from '../browser/store.ts'
import { parseSearch, type SearchParams, useSearchParams, useSetSearchParams } from '../navigation/search-params.ts'
import { areaOfCalls } from '../session/account-calls.ts'
import { arrangeColumns } from './preference-sync.ts'
import { type Arrangement, areSame, arrangementStore, isArranged } from './stored-preferences.ts'

export type SavedView = CallReply<'GET /views'>['views'][number]

const viewsQuery = (table: TableId) =>
  queryOptions({
    queryKey: accountKey('views', table),
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const area = areaOfCalls()
      await afterPaint()
      return (await call(`GET ${area}/views`, { query: { table }, signal })).views
    },
  })

export const refreshViews = (table: TableId) => queryClient.invalidateQueries({ queryKey: viewsQuery(table).queryKey })

/** The view that was last in use, by table: it can be updated after its filter was changed. */
const lastViewStore = createStore<Partial<Record<TableId, string>>>({})

export const rememberView = (table: TableId, viewId: string) =>
  lastViewStore.set({ ...lastViewStore.get(), [table]: viewId })

export interface SavedViews {
  /** By name; undefined until they are loaded. */
  views: readonly SavedView[] | undefined
  hasFailed: boolean
  retry: () => void
  /** What a view would keep now. */
  shown: { query: string; columns: Arrangement }
  /** Something is filtered or arranged. */
  canSave: boolean
  /** The view that the address equals. */
  active: SavedView | undefined
  /** The view in use, also after its filter or its columns were changed. */
  current: SavedView | undefined
  isChanged: boolean
  apply: (view: SavedView) => void
  leave: () => void
}

export function useSavedViews(table: TableId): SavedViews {
  const params = useSearchParams()
  const setParams = useSetSearchParams()
  const columns = useStore(arrangementStore(table))
  const lastId = useStore(lastViewStore)[table]
  const { data: views, error, refetch } = useQuery(viewsQuery(table))
  const query = viewQueryOf(params)
  const last = views?.find(({ viewId }) => viewId === lastId)
  const active = activeView(views ?? [], { query, columns, last })
  const current = active ?? (last && (query !== '' || last.query === '') ? last : undefined)
  const activeId = active?.viewId
  useEffect(() => {
    if (activeId !== undefined) rememberView(table, activeId)
  }, [table, activeId])

  const show = (next: SearchParams) => {
    const gone = Object.keys(parseSearch(query)).map((name) => [name, undefined])
    void setParams({ ...Object.fromEntries(gone), page: undefined, count: undefined, ...next })
  }
  return {
    views,
    hasFailed: error !== null && views === undefined,
    retry: () => void refetch(),
    shown: { query, columns },
    canSave: query !== '' || isArranged(columns),
    active,
    current,
    isChanged: current !== undefined && !(current.query === query && areSame(current.columns, columns)),
    apply: (view) => {
      show(parseSearch(view.query))
      if (!areSame(columns, view.columns)) arrangeColumns(table, view.columns)
      rememberView(table, view.viewId)
    },
    leave: () => {
      show({})
      lastViewStore.set({ ...lastViewStore.get(), [table]: undefined })
    },
  }
}

interface Shown {
  query: string
  columns: Arrangement
  last: SavedView | undefined
}

/** Of views with the same filter, that with the same columns, or the last one. Without a filter, columns decide. */
function activeView(views: readonly SavedView[], { query, columns, last }: Shown): SavedView | undefined {
  const equal = views.filter((view) => view.query === query)
  const same = equal.filter((view) => areSame(view.columns, columns))
  const candidates = same.length > 0 || query === '' ? same : equal
  return candidates.find((view) => view === last) ?? candidates[0]
}
