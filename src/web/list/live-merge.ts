/** Rows of one page as the server has them now. */
export interface FreshPage<R> {
  number: number
  rows: readonly R[]
  /** No page follows. */
  isLast: boolean
}

export interface MergeInput<R> {
  /** The rows in view, of page `page`. */
  shown: readonly R[]
  page: number
  /** The list ended in view when its rows were loaded. */
  endsInView: boolean
  /** Rows of the whole list: now, minus when it was loaded. */
  growth: number
  /** The page in view and any others, in any order. */
  pages: readonly FreshPage<R>[]
  /** Rows that were looked up by their ID; undefined for those that no longer exist. */
  lookedUp: ReadonlyMap<string, R | undefined>
  /** A row may leave a narrowed list without being deleted. */
  isNarrowed: boolean
  /** A row may move when it changes, because the list is sorted by what has changed. */
  isSorted?: boolean
  rowId: (row: R) => string
}

export interface Merged<R> {
  /** The same rows at the same positions, as they are now. */
  rows: readonly R[]
  /** IDs of rows in view that were deleted. */
  gone: ReadonlySet<string>
  /** IDs of rows in view whose state only a look-up can tell. */
  unknown: readonly string[]
  /** Number of rows that are new in this page, or above it on the first page. */
  added: number
}

/** Takes what has changed into the rows in view, without moving any. */
export function mergePage<R>(input: MergeInput<R>): Merged<R> {
  const { shown, lookedUp, rowId } = input
  const mayLeave = input.isNarrowed || input.isSorted === true
  const fresh = new Map(input.pages.flatMap(({ rows }) => rows.map((row) => [rowId(row), row] as const)))
  const ids = shown.map(rowId)
  const runs = runsOf(input)
  const isGone = (id: string, index: number) =>
    !fresh.has(id) && (lookedUp.has(id) ? lookedUp.get(id) === undefined : !mayLeave && isBetween(ids, index, runs))
  const gone = new Set(ids.filter(isGone))
  const unknown = ids.filter((id) => !fresh.has(id) && !lookedUp.has(id) && !gone.has(id))
  const rows = shown.map((row, index) => fresh.get(ids[index] ?? '') ?? lookedUp.get(ids[index] ?? '') ?? row)
  return { rows, gone, unknown, added: addedRows(input, { ids, runs, gone }) }
}

/** Pages without a gap between them. */
interface Run {
  ids: ReadonlySet<string>
  isFromTop: boolean
  isToEnd: boolean
  /** IDs from the page in view on, if it is among them. */
  fromPage: readonly string[] | undefined
}

function runsOf<R>({ pages, page, rowId }: MergeInput<R>): Run[] {
  const runs: FreshPage<R>[][] = []
  for (const each of pages.toSorted((one, other) => one.number - other.number)) {
    const run = runs.at(-1)
    if (run?.at(-1)?.number === each.number - 1) run.push(each)
    else runs.push([each])
  }
  const idsOf = (run: readonly FreshPage<R>[]) => run.flatMap(({ rows }) => rows.map(rowId))
  return runs.map((run) => ({
    ids: new Set(idsOf(run)),
    isFromTop: run[0]?.number === 1,
    isToEnd: run.at(-1)?.isLast === true,
    fromPage: run.some(({ number }) => number === page) ? idsOf(run.filter(({ number }) => number >= page)) : undefined,
  }))
}

/** Whether a row that is missing would be in a run: between two others of it, or at its end of the list. */
function isBetween(ids: readonly string[], index: number, runs: readonly Run[]): boolean {
  const runOf = (id: string | undefined) => runs.find((run) => id !== undefined && run.ids.has(id))
  const before = runOf(ids.slice(0, index).findLast((id) => runOf(id)))
  const after = runOf(ids.slice(index + 1).find((id) => runOf(id)))
  if (before && after) return before === after
  if (before) return before.isToEnd
  if (after) return after.isFromTop
  return runs.some(({ isFromTop, isToEnd }) => isFromTop && isToEnd)
}

interface Found {
  ids: readonly string[]
  runs: readonly Run[]
  gone: ReadonlySet<string>
}

function addedRows<R>({ page, endsInView, growth, isSorted }: MergeInput<R>, { ids, runs, gone }: Found): number {
  const now = runs.find(({ fromPage }) => fromPage)?.fromPage ?? []
  const known = new Set(ids)
  const isKnown = (id: string) => known.has(id)
  const first = now.findIndex(isKnown)
  if (first < 0) {
    if (page > 1) return 0
    // Rows below moved up if all in view were deleted; otherwise those in view moved down by all that are new.
    const surplus = growth + gone.size
    return gone.size === ids.length || isSorted ? Math.max(0, surplus) : Math.max(now.length, surplus)
  }
  // On a later page, rows move in from the page before; below, from the page after.
  const place = now.slice(page === 1 ? 0 : first, endsInView ? undefined : now.findLastIndex(isKnown))
  const added = place.filter((id) => !isKnown(id)).length
  // The others moved here from elsewhere in the list.
  return isSorted ? Math.min(added, Math.max(0, growth + gone.size)) : added
}
