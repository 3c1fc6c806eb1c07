import type { ListRequest } from './list-request.ts'

/** A reply with the request it belongs to. */
export interface LoadedPage<D> {
  request: ListRequest
  data: D
}

/** How the visible rows differ from those requested by the URL. */
export type Mismatch = 'none' | 'page' | 'filter'

export function mismatchOf(requested: ListRequest, shown: ListRequest): Mismatch {
  const narrowing = ({ search, filters }: ListRequest) => JSON.stringify([search, Object.entries(filters).toSorted()])
  if (narrowing(requested) !== narrowing(shown)) return 'filter'
  const place = ({ page, limit, sort }: ListRequest) => JSON.stringify([page, limit, sort])
  return place(requested) === place(shown) ? 'none' : 'page'
}

/**
 * The page to show: the reply to the current request, otherwise the previous page, while the next one loads or if it
 * fails. An empty previous page is not kept: "nothing found" would refer to another search.
 */
export function shownPage<D>(
  requested: ListRequest,
  data: D | undefined,
  before: LoadedPage<D> | undefined,
  isEmpty: (loaded: LoadedPage<D>) => boolean,
): LoadedPage<D> | undefined {
  if (data !== undefined) return { request: requested, data }
  return before && !isEmpty(before) ? before : undefined
}

/** One page of a completely loaded list. */
export function cutPage<R>(rows: readonly R[], { page, limit }: ListRequest): { rows: readonly R[]; total: number } {
  const start = (page - 1) * limit
  return { rows: rows.slice(start, start + limit), total: rows.length }
}
