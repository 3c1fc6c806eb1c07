import type { LiveSubject } from '#contract/live.ts'
import { queryClient } from '../api/query-client.ts'
import type { TableOptions } from '../table/table-params.ts'
import { HeldPages } from './held-pages.ts'
import type { ListRequest } from './list-request.ts'
import type { ListQuery, ListSource } from './list-source.ts'
import { cutPage } from './shown-page.ts'

interface WholeListOptions<R> {
  /** Query options whose data is all rows. */
  query: () => ListQuery<readonly R[]>
  rowId: (row: R) => string
  table?: TableOptions
  /** The matching rows in the requested order. */
  arrange: (all: readonly R[], request: ListRequest) => readonly R[]
  /** Follows changes of these subjects: rows change in place, and new ones are announced. */
  live?: readonly LiveSubject[]
  /** Other parts of the page read the same query, which then keep the places of its rows too. Its key never changes. */
  isReadElsewhere?: boolean
}

/** A list that the server returns completely; searched, sorted and paged in the browser. Keep it at module level. */
export function wholeList<R>({
  query,
  rowId,
  table = {},
  arrange,
  live: subjects,
  isReadElsewhere = false,
}: WholeListOptions<R>): ListSource<R, readonly R[], object> {
  const page = (all: readonly R[], request: ListRequest) => cutPage(arrange(all, request), request)
  const source = {
    table,
    rowId,
    filter: ({ search, filters }: ListRequest) => ({ search, ...filters }),
    query,
    page,
    rows: (all: readonly R[]) => all,
    lookUp: query,
    refresh: () => queryClient.invalidateQueries({ queryKey: query().queryKey }),
  }
  if (!subjects) return source
  const held = new HeldPages({ rowId, page, query })
  if (isReadElsewhere) queryClient.setQueryDefaults(query().queryKey, { structuralSharing: held.share })
  const heldQuery = () => ({ ...query(), structuralSharing: held.share })
  return {
    ...source,
    query: heldQuery,
    lookUp: heldQuery,
    page: held.page,
    live: { subjects, withRows: (data) => data, read: held.read },
  }
}
