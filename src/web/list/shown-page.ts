import type { ListRequest } from './list-request.ts'

/** An answer and the request that it belongs to. */
export interface LoadedPage<D> {
  request: ListRequest
  data: D
}

/** How the rows in view differ from those that the URL asks for. */
export type Mismatch = 'none' | 'page' | 'filter'

export function mismatchOf(requested: ListRequest, shown: ListRequest): Mismatch {
  const narrowing = ({ search, filters }: ListRequest) => JSON.stringify([search, Object.entries(filters).toSorted()])
  if (narrowing(requested) !== narrowing(shown)) return 'filter'
  const place = ({ page, limit, sort }: ListRequest) => JSON.stringify([page, limit, sort])
  return place(requested) === place(shown) ? 'none' : 'page'
}

/**
 * What a list shows: the answer to its request, else the page before, which stays while the next one loads and when
 * that fails. A page before without rows is not worth staying: "nothing found" would be said of another search.
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

/** One page of a list that is here as a whole. */
export function cutPage<R>(rows: readonly R[], { page, limit }: ListRequest): { rows: readonly R[]; total: number } {
  const start = (page - 1) * limit
  return { rows: rows.slice(start, start + limit), total: rows.length }
}
