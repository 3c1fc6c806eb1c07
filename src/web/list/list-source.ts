import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import type { CallInput, CallKey, CallReply } from '../api/call-types.ts'
import { queryClient } from '../api/query-client.ts'
import type { TableOptions } from '../table/table-params.ts'
import type { ListRequest } from './list-request.ts'
import { cutPage } from './shown-page.ts'

type ListQuery<D> = Pick<UseQueryOptions<D, Error, D, QueryKey>, 'queryKey' | 'queryFn'>

/** Where a list page takes its rows from. `D` is what the cache has, `F` the filter as bulk calls take it. */
export interface ListSource<R, D, F> {
  table: TableOptions
  rowId: (row: R) => string
  filter: (request: ListRequest) => F
  query: (request: ListRequest) => ListQuery<D>
  /** The rows of one page, and how many match on all pages; with `isMore` the server stopped counting there. */
  page: (data: D, request: ListRequest) => { rows: readonly R[]; total: number; isMore?: boolean }
  /** All rows that came with the data, of whichever page. */
  rows: (data: D) => readonly R[]
  /** Asks for a row that isn't among those, as when a link opened its dialog. */
  lookUp: (id: string) => ListQuery<D>
  /** Asks again for what is in view, and forgets the rest. */
  refresh: () => Promise<void>
}

/** Calls that reply with one page and the total. */
type PagedCall = { [K in CallKey]: CallReply<K> extends { total: number } ? K : never }[CallKey]
/** What the call can be narrowed by, besides its page. */
export type ListFilter<K extends CallKey> = Omit<NonNullable<CallInput<K>['query']>, 'page' | 'limit'>

interface PagedListOptions<K extends PagedCall, R, F extends ListFilter<K>> {
  /** Where its pages are cached: `() => appKey('users')`. */
  key: () => QueryKey
  call: K
  rows: (reply: CallReply<K>) => readonly R[]
  rowId: (row: R) => string
  /** Allowed filters and sorts; the default is none. */
  table?: TableOptions
  /** Search, filters and sort as the call takes them; the default sends the search. */
  filter?: (request: ListRequest) => F
}

/** A list whose pages the server cuts. Keep it at module level. */
export function pagedList<K extends PagedCall, R, F extends ListFilter<K> = ListFilter<K>>(
  options: PagedListOptions<K, R, F>,
): ListSource<R, CallReply<K>, F> {
  const { key, rows, rowId, table = {} } = options
  const filter = options.filter ?? (({ search }) => ({ search: search || undefined }) as unknown as F)
  const query = (input: object): ListQuery<CallReply<K>> => ({
    queryKey: [...key(), input],
    queryFn: ({ signal }) => callList(options.call, { query: input, signal }),
  })
  return {
    table,
    rowId,
    filter,
    query: (request) => query({ page: request.page, limit: request.limit, ...filter(request) }),
    page: (reply) => ({ rows: rows(reply), total: reply.total, isMore: 'isMore' in reply && reply.isMore === true }),
    rows,
    lookUp: (id) => query({ page: 1, limit: maxLimit, search: id.slice(0, maxSearchLength) }),
    refresh: () => queryClient.invalidateQueries({ queryKey: key() }),
  }
}

const maxLimit = 100
const maxSearchLength = 200

/** The type of the input follows from `K`, which isn't known here. */
const callList = call as unknown as <K extends CallKey>(
  key: K,
  input: { query: object; signal: AbortSignal },
) => Promise<CallReply<K>>

interface WholeListOptions<R> {
  /** Query options whose data are all rows. */
  query: () => ListQuery<readonly R[]>
  rowId: (row: R) => string
  table?: TableOptions
  /** The rows that match, in the order asked for. */
  arrange: (all: readonly R[], request: ListRequest) => readonly R[]
}

/** A list that the server sends whole; searched, sorted and cut into pages here. Keep it at module level. */
export function wholeList<R>({
  query,
  rowId,
  table = {},
  arrange,
}: WholeListOptions<R>): ListSource<R, readonly R[], object> {
  return {
    table,
    rowId,
    filter: ({ search, filters }) => ({ search, ...filters }),
    query,
    page: (all, request) => cutPage(arrange(all, request), request),
    rows: (all) => all,
    lookUp: query,
    refresh: () => queryClient.invalidateQueries({ queryKey: query().queryKey }),
  }
}
