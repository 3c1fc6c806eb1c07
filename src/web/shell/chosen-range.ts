import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { selectedAppStore } from '../api/app-selection.ts'
import { createStore, useStore } from '../browser/store.ts'
import { paths } from '../navigation/paths.ts'
import type { SearchParams } from '../navigation/search-params.ts'
import { nowSeconds } from '../time/clock.ts'
import { readTimeRange, timeRangeBounds, timeSpanParam } from '../time/time-range.ts'
import { currentTimeZone } from '../time/time-zone.ts'

/** Epoch seconds; `to` is exclusive. */
interface Span {
  from: number
  to: number
}

/**
 * The period chosen in the charts of an app in this tab: links of the rail take it from page to page. What a page shows
 * is always what its address says.
 */
const chosenRangeStore = createStore<(Span & { appId: string }) | undefined>(undefined)

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

/** Gives the parameters with which a page goes on showing the chosen period. */
export function useRangeSearch(): (path: string) => Record<string, string> {
  const range = useStore(chosenRangeStore)
  const app = useStore(selectedAppStore)
  return (path) => (range?.appId === app?.appId ? spanSearch(path, range) : {})
}

let before: { appId: string | undefined; path: string; isChosen: boolean } | undefined

/** Notes the period of the address, or that it was left: in a chart, or in a list that had taken it over. */
function noteAddress(path: string, search: SearchParams): void {
  const appId = selectedAppStore.get()?.appId
  const chosen = chosenRangeStore.get()
  const isSamePage = before?.appId === appId && before?.path === path
  const taken = chosen?.appId === appId ? Object.entries(spanSearch(path, chosen)) : []
  const isChosen = taken.length > 0 && taken.every(([name, value]) => search[name] === value)
  const wasChosen = isSamePage && before?.isChosen === true
  const isFirst = before === undefined
  before = { appId, path, isChosen }
  if (isChosen || appId === undefined) return
  const span = readSpan(path, search)
  const isOverview = path === paths.overview()
  // A link from the overview to the log has the days that it counted, which nobody has chosen.
  const isSet = isOverview || wasChosen || (path === paths.logs() && (isSamePage || isFirst || taken.length > 0))
  if (span && isSet) {
    chosenRangeStore.set({ ...span, appId })
    before.isChosen = true
  } else if (isOverview || path === paths.logs() || wasChosen) chosenRangeStore.set(undefined)
}

export function useNotedRange(): void {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  const app = useStore(selectedAppStore)
  useEffect(() => noteAddress(pathname, search), [pathname, search, app])
}
