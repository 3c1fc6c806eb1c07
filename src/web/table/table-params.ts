import type { SearchParams } from '../navigation/search-params.ts'

export const pageSizes = [10, 25, 50, 100] as const

export interface TableSort {
  id: string
  descending: boolean
}

export interface TableOptions {
  /** Page size without `limit` in the URL. */
  defaultLimit?: number
  /** Filters by name with their allowed values; `text` allows any. */
  filters?: Record<string, readonly string[] | 'text'>
  /** Those that take several values, separated by commas. */
  several?: readonly string[]
  /** IDs of sortable columns. */
  sorts?: readonly string[]
}

function readPage(text: string | undefined): number {
  const page = Number(text)
  return Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page : 1
}

function readSort(text: string | undefined, sorts: readonly string[]): TableSort | undefined {
  const descending = text?.startsWith('-') ?? false
  const id = descending ? text?.slice(1) : text
  return id !== undefined && sorts.includes(id) ? { id, descending } : undefined
}

function readFilters(params: SearchParams, { filters: allowed = {}, several = [] }: TableOptions) {
  const filters: Record<string, string> = {}
  for (const [name, known] of Object.entries(allowed)) {
    const text = params[`f.${name}`]
    if (!text) continue
    // In one order, so that the same filter has the same rows in the cache.
    const values = known === 'text' ? text : several.includes(name) ? sortedList(text, known) : text
    if (values && (known === 'text' || several.includes(name) || known.includes(values))) filters[name] = values
  }
  return filters
}

/** The values of a filter, without unknown ones, in the order in which they are offered. */
const sortedList = (list: string, offered: readonly string[]): string => {
  const values = new Set(list.split(','))
  return offered.filter((value) => values.has(value)).join(',')
}

/** The values of a filter with one of them added, or removed if it was there; `undefined` for none. */
export function toggled(list: string | undefined, value: string, offered: readonly string[]): string | undefined {
  const values = list?.split(',') ?? []
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value]
  return sortedList(next.join(','), [...new Set([...offered, ...next])]) || undefined
}

/** The state of a table in the URL; invalid values fall back to the default. */
export function readTableParams(params: SearchParams, options: TableOptions = {}) {
  const { defaultLimit = 10, sorts = [] } = options
  const limit = Number(params.limit)
  return {
    search: (params.q ?? '').slice(0, 200),
    page: readPage(params.page),
    limit: (pageSizes as readonly number[]).includes(limit) ? limit : defaultLimit,
    sort: readSort(params.sort, sorts),
    filters: readFilters(params, options),
    /** Count all matching rows, however many. */
    countAll: params.count === 'all',
  }
}
