import { selectedAppStore } from '../api/app-selection.ts'
import { paths } from '../navigation/paths.ts'
import type { SearchParams } from '../navigation/search-params.ts'
import { nowSeconds } from '../time/clock.ts'
import { readTimeRange, timeRangeBounds, timeSpanParam } from '../time/time-range.ts'
import { currentTimeZone } from '../browser/time-zone.ts'

export type RangeSearch = (path: string) => Record<string, string>

/** A page of an app. */
export interface Visited {
  appId: string | undefined
  path: string
}

/** Epoch seconds; `to` is exclusive. */
interface Span {
  from: number
  to: number
}

/**
 * The period chosen in the charts of an app in this tab: links of the rail take it from page to page. What a page shows
 * is always what its address says.
 */
let chosen: (Span & { appId: string }) | undefined
/** Whether the page showed it, as of the last address. */
let wasShown = false
let links: RangeSearch = () => ({})

/** Time filters of what happens, which take it over. Lists of customers would only seem to lack some. */
const filters: Record<string, string> = {
  [paths.logs()]: 'f.days',
  [paths.sessions()]: 'f.seen',
  [paths.alerts()]: 'f.raised',
}

const hour = 3600
/** The overview begins no earlier. */
const maxOverviewSeconds = 90 * 24 * hour

const hourText = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 13)}:00Z`

function readSpan(path: string, search: SearchParams): Span | undefined {
  if (path === paths.overview()) {
    const span = { from: Date.parse(search['from'] ?? '') / 1000, to: Date.parse(search['to'] ?? '') / 1000 }
    return span.from < span.to ? span : undefined
  }
  const range = readTimeRange(search[filters[path] ?? ''])
  const { from, until } = timeRangeBounds(range, currentTimeZone())
  return from !== undefined && until !== undefined ? { from, to: until + 1 } : undefined
}

/** The parameters with which a page shows the period, in the overview rounded to hours; none if it can't. */
function spanSearch(path: string, span: Span | undefined): Record<string, string> {
  if (!span) return {}
  const filter = filters[path]
  if (filter !== undefined) return { [filter]: timeSpanParam(span, currentTimeZone(), nowSeconds()) }
  const isShowable = span.from < nowSeconds() && span.from > nowSeconds() - maxOverviewSeconds
  if (path !== paths.overview() || !isShowable) return {}
  return { from: hourText(span.from - (span.from % hour)), to: hourText(Math.ceil(span.to / hour) * hour) }
}

/** The period goes along, in this app. */
function choose(range: typeof chosen): void {
  chosen = range
  links = (path) => (range?.appId === selectedAppStore.get()?.appId ? spanSearch(path, range) : {})
}

/**
 * Notes the period of an address, or that it was left: in a chart, or in a list that had taken it over. Returns the
 * parameters of links from then on.
 */
export function noteAddress(visited: Visited, search: SearchParams, before: Visited | undefined): RangeSearch {
  note(visited, search, before)
  return links
}

function note({ appId, path }: Visited, search: SearchParams, before: Visited | undefined): void {
  const isSamePage = before?.appId === appId && before?.path === path
  const isLeft = isSamePage && wasShown
  const taken = chosen?.appId === appId ? Object.entries(spanSearch(path, chosen)) : []
  wasShown = taken.length > 0 && taken.every(([name, value]) => search[name] === value)
  if (wasShown || appId === undefined) return
  const span = readSpan(path, search)
  const isOverview = path === paths.overview()
  const isLog = path === paths.logs()
  // A link from the overview to the log has the days that it counted, which nobody has chosen.
  const isChosen = isOverview || isLeft || (isLog && (isSamePage || before === undefined || taken.length > 0))
  if (span && isChosen) choose({ ...span, appId })
  else if (isOverview || isLog || isLeft) choose(undefined)
  wasShown = span !== undefined && isChosen
}
