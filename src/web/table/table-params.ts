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

function readFilters(params: SearchParams, allowed: NonNullable<TableOptions['filters']>): Record<string, string> {
  const filters: Record<string, string> = {}
  for (const [name, values] of Object.entries(allowed)) {
    const value = params[`f.${name}`]
    if (value && (values === 'text' || values.includes(value))) filters[name] = value
  }
  return filters
}

/** The state of a table in the URL; invalid values fall back to the default. */
export function readTableParams(params: SearchParams, options: TableOptions = {}) {
  const { defaultLimit = 10, filters = {}, sorts = [] } = options
  const limit = Number(params.limit)
  return {
    search: (params.q ?? '').slice(0, 200),
    page: readPage(params.page),
    limit: (pageSizes as readonly number[]).includes(limit) ? limit : defaultLimit,
    sort: readSort(params.sort, sorts),
    filters: readFilters(params, filters),
    /** Count all matching rows, however many. */
    countAll: params.count === 'all',
  }
}
