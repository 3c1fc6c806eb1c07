import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { LiveSubject } from '#contract/live.ts'
import { call } from '../api/call.ts'
import { earlyData } from '../api/early-data.ts'
import type { CallInput, CallKey, CallReply } from '../api/call-types.ts'
import { queryClient } from '../api/query-client.ts'
import type { TableOptions } from '../table/table-params.ts'
import type { ListRequest } from './list-request.ts'
import type { Merged } from './live-merge.ts'

export type ListQuery<D> = Pick<
  UseQueryOptions<D, Error, D, QueryKey>,
  'queryKey' | 'queryFn' | 'initialData' | 'initialDataUpdatedAt' | 'structuralSharing'
>

/** The source of a list page's rows. `D` is the cached data, `F` the filter as bulk calls take it. */
export interface ListSource<R, D, F> {
  table: TableOptions
  rowId: (row: R) => string
  filter: (request: ListRequest) => F
  /** The list stops counting at some number unless it is asked to count all. */
  canCountAll?: boolean
  query: (request: ListRequest) => ListQuery<D>
  /** Rows of one page and the number of matching rows; with `isMore`, the server stopped counting there. */
  page: (data: D, request: ListRequest) => { rows: readonly R[]; total: number; isMore?: boolean }
  /** All loaded rows, of any page. */
  rows: (data: D) => readonly R[]
  /** Requests a row that is not loaded, e.g. for a dialog opened by a link. */
  lookUp: (id: string) => ListQuery<D>
  /** Reloads the current page and drops the others from the cache. */
  refresh: () => Promise<void>
  /** The list follows what others change. */
  live?: LiveSource<R, D>
}

/** The page in view. */
export interface ShownRows<R, D> {
  request: ListRequest
  shown: readonly R[]
  /** The data that they are from. */
  before: D
}

export interface LivePage<R, D> extends Merged<R> {
  /** The reply to the request as it is now: totals and counts. */
  data: D
  /** How many requests this took. */
  requests: number
}

interface LiveSource<R, D> {
  subjects: readonly LiveSubject[]
  /** Rows also change without an event; they are read again this often. */
  everyMs?: number | undefined
  /** Rows are never deleted: one that isn't found is elsewhere in the list. */
  isAppendOnly?: boolean | undefined
  /** The reply with other rows. */
  withRows: (data: D, rows: readonly R[]) => D
  /** What has become of the rows in view, if not in the way of a list that the server pages. */
  read?: (view: ShownRows<R, D>) => Promise<LivePage<R, D>>
}

/** Calls that return one page and the total. */
type PagedCall = { [K in CallKey]: CallReply<K> extends { total: number } ? K : never }[CallKey]
/** Query parameters of the call besides its page. */
export type ListFilter<K extends CallKey> = Omit<
  NonNullable<CallInput<K>['query']>,
  'page' | 'limit' | 'count' | 'sort'
>

interface PagedListOptions<K extends PagedCall, R, F extends ListFilter<K>> {
  /** Cache key of its pages: `() => appKey('users')`. */
  key: () => QueryKey
  call: K
  rows: (reply: CallReply<K>) => readonly R[]
  rowId: (row: R) => string
  /** Allowed filters and sort columns; none by default. */
  table?: TableOptions
  /** The call stops counting, and takes `count=all`. */
  canCountAll?: boolean
  /** Search and filters as parameters of the call; only the search by default. `sort` is sent with `table.sorts`. */
  filter?: (request: ListRequest) => F
  /** Filter that matches the row with this ID alone. */
  exact?: (id: string) => ListFilter<K>
  /** Follows changes of this subject: rows change in place, and new ones are announced. */
  live?: LiveSubject
  /** Rows also change as time passes, or no stream tells what changes: they are read again this often. */
  liveEveryMs?: number
  isAppendOnly?: boolean
}

/** For lists whose changes no stream tells. */
export const unannouncedMs = 15_000

/** A list paged by the server. Keep it at module level. */
export function pagedList<K extends PagedCall, R, F extends ListFilter<K> = ListFilter<K>>(
  options: PagedListOptions<K, R, F>,
): ListSource<R, CallReply<K>, F> {
  const { key, rows, rowId, table = {}, canCountAll = false } = options
  const filter = options.filter ?? (({ search }) => ({ search: search || undefined }) as unknown as F)
  const query = (input: object): ListQuery<CallReply<K>> => ({
    queryKey: [...key(), input],
    queryFn: ({ signal }) => callList(options.call, { query: input, signal }),
    initialData: () => earlyListData(options.call, input),
  })
  /** A loaded page that has this row. */
  const loadedWith = (id: string) =>
    queryClient
      .getQueriesData<CallReply<K>>({ queryKey: key(), type: 'active' })
      .map(([, reply]) => reply)
      .find((reply) => reply && rows(reply).some((row) => rowId(row) === id))
  return {
    table,
    rowId,
    filter,
    canCountAll,
    query: (request) =>
      query({
        page: request.page,
        limit: request.limit,
        ...filter(request),
        ...(request.sort && { sort: `${request.sort.descending ? '-' : ''}${request.sort.id}` }),
        ...(canCountAll && request.countAll && { count: 'all' }),
      }),
    page: (reply) => ({ rows: rows(reply), total: reply.total, isMore: 'isMore' in reply && reply.isMore === true }),
    rows,
    lookUp: (id) =>
      options.exact
        ? // Shown at once, and asked for again.
          { ...query({ limit: 1, ...options.exact(id) }), initialData: () => loadedWith(id), initialDataUpdatedAt: 0 }
        : query({ page: 1, limit: maxLimit, search: id.slice(0, maxSearchLength) }),
    refresh: () => queryClient.invalidateQueries({ queryKey: key() }),
    ...((options.live ?? options.liveEveryMs) && {
      live: {
        subjects: options.live ? [options.live] : [],
        everyMs: options.liveEveryMs,
        isAppendOnly: options.isAppendOnly,
        withRows: (reply, changed) => withProperty(reply, rows(reply), changed),
      },
    }),
  }
}

/** The object with another value for the property that has the given one. */
const withProperty = <T extends object>(object: T, value: unknown, changed: unknown): T =>
  Object.fromEntries(Object.entries(object).map(([name, own]) => [name, own === value ? changed : own])) as T

const maxLimit = 100
const maxSearchLength = 200

/** The type of the input depends on `K`, which is generic here. */
const earlyListData = earlyData as unknown as <K extends CallKey>(key: K, query: object) => CallReply<K> | undefined
const callList = call as unknown as <K extends CallKey>(
  key: K,
  input: { query: object; signal: AbortSignal },
) => Promise<CallReply<K>>
