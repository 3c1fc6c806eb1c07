import { type QueryKey, type QueryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { queryClient } from '../api/query-client.ts'
import { liveKey } from '../api/query-keys.ts'
import type { ListRequest } from './list-request.ts'
import type { Merged } from './live-merge.ts'

interface Page<R> {
  rows: readonly R[]
  total: number
}

interface HeldPage<R> extends Page<R> {
  /** What it was held for; any other request arranges the rows as they are now. */
  request: string
  /** IDs of all rows of the list when it was arranged. */
  known: ReadonlySet<string>
}

interface HeldPagesOptions<R> {
  rowId: (row: R) => string
  /** The page of all rows as they are now. */
  page: (all: readonly R[], request: ListRequest) => Page<R>
  query: () => Pick<QueryOptions<readonly R[], Error, readonly R[], QueryKey>, 'queryFn'> & { queryKey: QueryKey }
}

/** What others change, and the page that must not move. */
interface InView<R> {
  before: readonly R[]
  shown: readonly R[]
  request: ListRequest
}

/**
 * Pages in view of a list that the server returns whole. While others change it, their rows stay at their places, although
 * the cached data has all rows as they are now.
 */
export class HeldPages<R> {
  readonly #options: HeldPagesOptions<R>
  /** By the cached data: data that is loaded again is arranged anew. */
  readonly #held = new WeakMap<readonly R[], HeldPage<R>>()

  constructor(options: HeldPagesOptions<R>) {
    this.#options = options
  }

  page = (all: readonly R[], request: ListRequest): Page<R> => {
    const held = this.#held.get(all)
    return held?.request === JSON.stringify(request) ? held : this.#options.page(all, request)
  }

  /** What has become of the rows in view. */
  read = async ({
    before,
    shown,
    request,
  }: InView<R>): Promise<Merged<R> & { data: readonly R[]; requests: number }> => {
    const { queryKey, queryFn } = this.#options.query()
    const data = await queryClient.fetchQuery({ queryKey: liveKey(queryKey), queryFn, staleTime: 0, gcTime: 0 })
    return { ...this.hold({ before, data, shown, request }), requests: 1 }
  }

  /** The new data, whose page for the request has the rows that were shown. */
  hold(change: InView<R> & { data: readonly R[] }): Merged<R> & { data: readonly R[] } {
    const { before, shown, request } = change
    const { rowId, page } = this.#options
    // Another array than any that is cached.
    const data = [...change.data]
    const text = JSON.stringify(request)
    const held = this.#held.get(before)
    const known = held?.request === text ? held.known : new Set(before.map(rowId))
    const fresh = new Map(data.map((row) => [rowId(row), row]))
    const rows = shown.map((row) => fresh.get(rowId(row)) ?? row)
    const gone = new Set(shown.map(rowId).filter((id) => !fresh.has(id)))
    const now = page(data, request)
    const added = now.rows.filter((row) => !known.has(rowId(row))).length
    this.#held.set(data, { rows, total: now.total, request: text, known })
    return { data, rows, gone, unknown: [], added }
  }

  /** Unchanged rows stay the same objects. What is loaded is a new array each time, so that no page is held for it. */
  share = (before: unknown, after: unknown): unknown => {
    if (before === undefined) return after
    const { rowId } = this.#options
    const known = new Map((before as readonly R[]).map((row) => [rowId(row), row]))
    const shared = (row: R): R => {
      const same = known.get(rowId(row))
      return same === undefined ? row : replaceEqualDeep(same, row)
    }
    const data = (after as readonly R[]).map(shared)
    const held = this.#held.get(after as readonly R[])
    if (held) this.#held.set(data, { ...held, rows: held.rows.map(shared) })
    return data
  }
}
