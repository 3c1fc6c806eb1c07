import { queryClient } from '../api/query-client.ts'
import { liveKey } from '../api/query-keys.ts'
import type { ListRequest } from './list-request.ts'
import type { ListSource, LivePage, ShownRows } from './list-source.ts'
import { type FreshPage, mergePage } from './live-merge.ts'

/** The page in view as it was loaded. */
export interface PageInView<R, D> extends ShownRows<R, D> {
  source: ListSource<R, D, unknown>
  /** Number of rows of the list when the page was loaded. */
  total: number
  endsInView: boolean
}

const maxLookUps = 20

/** Reads what has become of the rows in view: in one request, or a few if rows have come or gone. */
export async function readLivePage<R, D>(view: PageInView<R, D>): Promise<LivePage<R, D>> {
  const { source, request, shown } = view
  const { page, limit, search, filters, sort } = request
  const data = await read(source.query(request))
  const { total, isMore } = source.page(data, request)
  const pageOf = (reply: D, number: number): FreshPage<R> => {
    const { rows } = source.page(reply, request)
    return { number, rows, isLast: rows.length < limit || (!isMore && number * limit >= total) }
  }
  const pages = [pageOf(data, page)]
  const lookedUp = new Map<string, R | undefined>()
  const merge = () =>
    mergePage({
      ...view,
      page,
      growth: total - view.total,
      pages,
      lookedUp,
      isNarrowed: search !== '' || Object.keys(filters).length > 0,
      isSorted: sort !== undefined,
      rowId: source.rowId,
    })
  const ids = shown.map(source.rowId)
  const present = new Set(source.rows(data).map(source.rowId))
  const lastPage = isMore ? Infinity : Math.ceil(total / limit)
  for (const number of nearbyPages(request, { ids, present, growth: total - view.total })) {
    if (number < 1 || number > lastPage) continue
    pages.push(pageOf(await read(source.query({ ...request, page: number })), number))
  }
  const unknown = source.live?.isAppendOnly ? [] : merge().unknown
  for (const id of unknown.slice(0, maxLookUps)) {
    const found = source.rows(await read(source.lookUp(id)))
    lookedUp.set(
      id,
      found.find((row) => source.rowId(row) === id),
    )
  }
  return { ...merge(), data, requests: pages.length + lookedUp.size }
}

interface Seen {
  ids: readonly string[]
  /** IDs that are still on the page. */
  present: ReadonlySet<string>
  growth: number
}

/** Pages to which rows in view may have moved. */
function nearbyPages({ page, limit }: ListRequest, { ids, present, growth }: Seen): number[] {
  if (ids.every((id) => present.has(id))) return []
  if (Math.abs(growth) >= limit) {
    const first = Math.floor(((page - 1) * limit + growth) / limit) + 1
    return [first, first + 1].filter((number) => number !== page)
  }
  const isMissing = (id: string | undefined) => id !== undefined && !present.has(id)
  return [...(isMissing(ids[0]) ? [page - 1] : []), ...(isMissing(ids.at(-1)) ? [page + 1] : [])]
}

const read = <D>({ queryKey, queryFn }: ReturnType<ListSource<unknown, D, unknown>['query']>): Promise<D> =>
  queryClient.fetchQuery({ queryKey: liveKey(queryKey), queryFn, staleTime: 0, gcTime: 0 })
