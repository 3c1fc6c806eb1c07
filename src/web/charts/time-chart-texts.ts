import { t } from '@lingui/core/macro'
import type { TimePoint } from './plot.ts'
import { rangeText, spanText, type TimeSpan } from './span-text.ts'
import type { Selection } from './use-brush.ts'

interface Described {
  label: string
  points: readonly TimePoint[]
  previous?: readonly TimePoint[] | undefined
  isHourly: boolean
  underWay: 'first' | 'last' | 'none'
  countText: (count: number) => string
  part?: { text: (count: number) => string } | undefined
}

/** What a chart says of each of its points, and of a selected range. */
export function chartTexts(chart: Described, timeZone: string) {
  const { points, previous, countText, isHourly, underWay } = chart
  const whenOf = (point: TimeSpan): string => spanText(point, isHourly, timeZone)
  /** When the point is. */
  const atOf = (index: number): string => {
    const point = points[index]
    const when = point ? whenOf(point) : ''
    return index === points.length - 1 && underWay === 'last' ? t`${when}, so far` : when
  }
  const valueOf = (index: number): string => countText(points[index]?.count ?? 0)
  /** What is added to the value: its part, or that of the period before. */
  const beforeOf = (index: number): string | undefined => {
    const part = points[index]?.part
    if (chart.part && part !== undefined) return chart.part.text(part)
    const point = previous?.[index]
    if (!point) return undefined
    const [when, value] = [whenOf(point), countText(point.count)]
    return t`${when}: ${value}`
  }
  const selectionText = ({ from, to }: Selection): string => {
    const [first, last] = [points[from], points[to]]
    return first && last ? rangeText({ from: first.from, to: last.to }, isHourly, timeZone) : ''
  }
  const spoken = (index: number, selection: string | undefined): string => {
    const [when, value, before] = [atOf(index), valueOf(index), beforeOf(index)]
    const text = before === undefined ? t`${when}: ${value}` : t`${when}: ${value}; ${before}`
    return selection === undefined ? text : t`${selection} selected, Enter shows it. ${text}`
  }
  return { atOf, valueOf, beforeOf, selectionText, spoken, summary: summaryOf(chart, atOf) }
}

function summaryOf({ label, points, countText, underWay }: Described, atOf: (index: number) => string): string {
  const all = countText(points.reduce((sum, { count }) => sum + count, 0))
  const max = Math.max(...points.map(({ count }) => count))
  if (max === 0) return t`${label}: ${all}`
  const highest = countText(max)
  const when = atOf(points.findIndex(({ count }) => count === max))
  const latest = countText(points.at(-1)?.count ?? 0)
  return underWay === 'last'
    ? t`${label}: highest on ${when} with ${highest}, at the end ${latest}`
    : t`${label}: ${all}, highest on ${when} with ${highest}`
}
