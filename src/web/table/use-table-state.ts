import { useMemo } from 'react'
import { type SearchParams, useSearchParams, useSetSearchParams } from '../navigation/search-params.ts'
import { readTableParams, type TableOptions, type TableSort, toggled } from './table-params.ts'

export interface TableState {
  search: string
  page: number
  limit: number
  sort: TableSort | undefined
  /** Several values are separated by commas. */
  filters: Record<string, string>
  /** The list counts all its matching rows, however many. */
  countAll: boolean
  /** Whether a search or a filter is active. */
  isFiltered: boolean
  /** `{page, limit, search}` for list calls. */
  query: { page: number; limit: number; search?: string }
  setSearch: (text: string) => void
  setPage: (page: number, options?: { replace?: boolean }) => void
  setLimit: (limit: number) => void
  setSort: (sort: TableSort | undefined) => void
  setFilter: (name: string, value: string | undefined) => void
  setFilters: (values: Record<string, string | undefined>) => void
  /** Adds a value to a filter that takes several, or removes it. */
  toggleFilter: (name: string, value: string) => void
  setCountAll: () => void
  /** Clears search and filters. */
  clear: () => void
}

/** `options` must be the same object on every render: keep it at module level. */
export function useTableState(options?: TableOptions): TableState {
  const params = useSearchParams()
  const setParams = useSetSearchParams()
  return useMemo(() => {
    const { search, page, limit, sort, filters, countAll } = readTableParams(params, options)
    const setFilters: TableState['setFilters'] = (values) => {
      const named = Object.entries(values).map(([name, value]) => [`f.${name}`, value])
      set({ ...Object.fromEntries(named), page: undefined, count: undefined })
    }
    const set = (change: SearchParams, replace = false) => void setParams(change, { replace })
    return {
      search,
      page,
      limit,
      sort,
      filters,
      countAll,
      isFiltered: search !== '' || Object.keys(filters).length > 0,
      query: { page, limit, search: search || undefined },
      setSearch: (text) => set({ q: text || undefined, page: undefined, count: undefined }, true),
      setPage: (next, { replace = false } = {}) => set({ page: next > 1 ? String(next) : undefined }, replace),
      setLimit: (next) => set({ limit: String(next), page: undefined }),
      setSort: (next) => set({ sort: next && `${next.descending ? '-' : ''}${next.id}`, page: undefined }),
      setFilter: (name, value) => setFilters({ [name]: value }),
      setFilters,
      toggleFilter: (name, value) => {
        const offered = options?.filters?.[name]
        setFilters({ [name]: toggled(filters[name], value, Array.isArray(offered) ? offered : []) })
      },
      setCountAll: () => set({ count: 'all' }, true),
      clear: () => {
        const gone = Object.keys(options?.filters ?? {}).map((name) => [`f.${name}`, undefined])
        set({ ...Object.fromEntries(gone), q: undefined, page: undefined, count: undefined })
      },
    }
  }, [params, setParams, options])
}
