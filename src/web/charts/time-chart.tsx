import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import { useFrameWidth } from '../browser/use-frame-width.ts'
import { useTimeZone } from '../time/time-zone.ts'
import { scaleTicks } from './chart-scale.ts'
import type { ChartColor } from './chart-colors.ts'
import { ChartTip } from './chart-tip.tsx'
import { type Marks, middleOf, type Plot, type TimePoint, top, topOf } from './plot.ts'
import { rangeText, spanText, spanTick, type TimeSpan } from './span-text.ts'
import { Bars } from './time-bars.tsx'
import { tickedPoints } from './time-ticks.ts'
import { type Selection, useBrush } from './use-brush.ts'

export interface TimeChartProps {
  label: string
  points: readonly TimePoint[]
  /** The period before: its first point is drawn under the first one here, as a thin dashed line. */
  previous?: readonly TimePoint[] | undefined
  kind: 'area' | 'bars'
  color: ChartColor
  isHourly: boolean
  /** The point that is still in progress. */
  underWay: 'first' | 'last' | 'none'
  /** `12 sign-ins`. */
  countText: (count: number) => string
  /** The part of each bar: its color, and `3 rejected`. */
  part?: { color: ChartColor; text: (count: number) => string } | undefined
  height?: number
  /**
   * Called with a range of points that was dragged over, or selected with Shift and the arrow keys and confirmed with
   * Enter.
   */
  onSelect?: ((range: TimeSpan) => void) | undefined
  /** A click on a point selects it, and so does Enter. */
  selectsByClick?: boolean
}

export const chartHeight = 200
const bottom = 24
const right = 10
const widestTick = 68

/** Counts over time. Each point shows its label when pointed at or reached with the arrow keys. */
export function TimeChart(props: TimeChartProps) {
  const { label, points, previous, countText, isHourly, underWay, height = chartHeight, onSelect } = props
  const frame = useRef<HTMLDivElement>(null)
  const width = useFrameWidth(frame)
  const timeZone = useTimeZone()
  const [active, setActive] = useState<number>()
  const counts = [...points, ...(previous ?? [])].map(({ count }) => count)
  const ticks = scaleTicks(Math.max(...counts), height < chartHeight ? 3 : 4)
  const left = 12 + shortNumber(ticks.at(-1) ?? 0).length * 7
  const plot: Plot = {
    left,
    width: Math.max(0, width - left - right),
    height: height - top - bottom,
    max: ticks.at(-1) ?? 1,
    count: points.length,
  }
  const atMost = Math.floor(plot.width / widestTick)
  const ticked = useMemo(
    () => tickedPoints(points, { atMost, isHourly, timeZone }),
    [points, atMost, isHourly, timeZone],
  )
  const last = points.length - 1
  const ongoing = { last, first: 0, none: undefined }[underWay]
  const whenOf = (point: TimePoint | undefined): string => (point ? spanText(point, isHourly, timeZone) : '')
  const atOf = (index: number): string => {
    const when = whenOf(points[index])
    return index === ongoing && underWay === 'last' ? t`${when}, so far` : when
  }
  const valueOf = (index: number): string => countText(points[index]?.count ?? 0)
  const beforeOf = (index: number): string | undefined => {
    const part = points[index]?.part
    if (props.part && part !== undefined) return props.part.text(part)
    const point = previous?.[index]
    if (!point) return undefined
    const [when, value] = [whenOf(point), countText(point.count)]
    return t`${when}: ${value}`
  }
  const byClick = props.selectsByClick ?? false
  const brush = useBrush({ points, active, setActive, onSelect, canSelectOne: byClick || !isHourly, byClick })
  const selection = brush.selected && selectionText(points, brush.selected, { isHourly, timeZone })

  const indexAt = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - plot.left
    return Math.min(last, Math.max(0, Math.floor((x / plot.width) * points.length)))
  }
  const spoken = (index: number): string => {
    const [when, value, before] = [atOf(index), valueOf(index), beforeOf(index)]
    const text = before === undefined ? t`${when}: ${value}` : t`${when}: ${value}; ${before}`
    return selection === undefined ? text : t`${selection} selected, Enter shows it. ${text}`
  }
  const isMeasured = Number.isFinite(width)
  return (
    <div ref={frame} className="relative min-w-0" style={{ height }}>
      {isMeasured && (
        <>
          <svg
            role="img"
            aria-label={summaryOf(props, atOf)}
            width={width}
            height={height}
            className={`block touch-pan-y overflow-visible select-none ${onSelect ? 'cursor-crosshair' : ''}`}
            onPointerMove={(event) => brush.move(event, indexAt(event))}
            onPointerDown={(event) => brush.start(event, indexAt(event))}
            onPointerUp={() => brush.end()}
            onPointerCancel={() => brush.cancel()}
            onPointerLeave={() => setActive(undefined)}
          >
            <Grid ticks={ticks} plot={plot} />
            {ticked.map((index) => {
              const each = points[index]
              return (
                each && (
                  <text
                    key={index}
                    x={Math.min(middleOf(plot, index), width - 18)}
                    y={height - 6}
                    textAnchor="middle"
                    className="fill-text-3 text-meta tabular-nums"
                  >
                    {spanTick(each, isHourly, timeZone)}
                  </text>
                )
              )
            })}
            {brush.selected && <Selected plot={plot} range={brush.selected} />}
            {props.kind === 'area' ? (
              <Area {...props} plot={plot} ongoing={ongoing} active={active} />
            ) : (
              <Bars {...props} plot={plot} ongoing={ongoing} active={active} />
            )}
            {previous && <Before points={previous} plot={plot} />}
          </svg>
          {/* Over the plot and no obstacle to the pointer: what the arrow keys move, and what is read out. */}
          <div
            role="slider"
            tabIndex={0}
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={last}
            aria-valuenow={active ?? last}
            aria-valuetext={spoken(active ?? last)}
            onKeyDown={brush.key}
            onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(active ?? last)}
            onBlur={() => {
              brush.cancel()
              setActive(undefined)
            }}
            className="pointer-events-none absolute inset-0 rounded-md"
          />
          {active !== undefined && (
            <ChartTip
              x={middleOf(plot, active)}
              width={width}
              when={selection ?? atOf(active)}
              value={selection === undefined ? valueOf(active) : countText(sumOf(points, brush.selected))}
              before={selection === undefined ? beforeOf(active) : undefined}
            />
          )}
        </>
      )}
    </div>
  )
}

function selectionText(
  points: readonly TimePoint[],
  { from, to }: Selection,
  { isHourly, timeZone }: { isHourly: boolean; timeZone: string },
): string {
  const [first, last] = [points[from], points[to]]
  return first && last ? rangeText({ from: first.from, to: last.to }, isHourly, timeZone) : ''
}

const sumOf = (points: readonly TimePoint[], range: Selection | undefined): number =>
  range ? points.slice(range.from, range.to + 1).reduce((sum, { count }) => sum + count, 0) : 0

/** Short number for an axis: `12K`. */
function shortNumber(value: number): string {
  return new Intl.NumberFormat(i18n.locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

function summaryOf({ label, points, countText, underWay }: TimeChartProps, atOf: (index: number) => string): string {
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

function Grid({ ticks, plot }: { ticks: readonly number[]; plot: Plot }) {
  return ticks.map((tick) => {
    const y = Math.round(topOf(plot, tick)) + 0.5
    return (
      <g key={tick}>
        <line
          x1={plot.left}
          x2={plot.left + plot.width}
          y1={y}
          y2={y}
          className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
        />
        <text
          x={plot.left - 8}
          y={y}
          textAnchor="end"
          dominantBaseline="central"
          className="fill-text-3 text-meta tabular-nums"
        >
          {shortNumber(tick)}
        </text>
      </g>
    )
  })
}

/** The range that is being selected. */
function Selected({ plot, range: { from, to } }: { plot: Plot; range: Selection }) {
  const slot = plot.width / plot.count
  const [x, width] = [plot.left + slot * from, slot * (to - from + 1)]
  return (
    <g>
      <rect x={x} y={top} width={width} height={plot.height} className="fill-surface-3" opacity={0.7} rx={2} />
      {[x, x + width].map((edge) => (
        <line key={edge} x1={edge} x2={edge} y1={top} y2={top + plot.height} className="stroke-text-2" />
      ))}
    </g>
  )
}

const pathOf = (dots: readonly (readonly [number, number])[]): string =>
  dots.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** The period before. */
function Before({ points, plot }: { points: readonly TimePoint[]; plot: Plot }) {
  const dots = points
    .slice(0, plot.count)
    .map(({ count }, index) => [middleOf(plot, index), topOf(plot, count)] as const)
  return (
    <path
      data-part="previous"
      d={pathOf(dots)}
      fill="none"
      strokeWidth={1.25}
      strokeDasharray="4 3"
      strokeLinejoin="round"
      className="keep-color pointer-events-none stroke-text-3"
    />
  )
}

/** Explains the two lines of a chart with a period before. */
export function ChartLegend({ color, now, before }: { color: ChartColor; now: string; before: string }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-text-2">
      <li className="flex items-center gap-1.5">
        <svg aria-hidden="true" width={16} height={8} className="keep-color shrink-0" style={{ color }}>
          <line x1={0} x2={16} y1={4} y2={4} stroke="currentColor" strokeWidth={2} />
        </svg>
        {now}
      </li>
      <li className="flex items-center gap-1.5">
        <svg aria-hidden="true" width={16} height={8} className="keep-color shrink-0 stroke-text-3">
          <line x1={0} x2={16} y1={4} y2={4} strokeWidth={1.25} strokeDasharray="4 3" />
        </svg>
        {before}
      </li>
    </ul>
  )
}

/** A line above its area; the segment to the point in progress is dashed. */
function Area({ points, color, plot, ongoing, active }: Marks) {
  const id = useId()
  const dots = points.map(({ count }, index) => [middleOf(plot, index), topOf(plot, count)] as const)
  const past = dots.slice(0, ongoing)
  const base = top + plot.height
  const [first, last] = [dots[0], dots.at(-1)]
  const marked = active ?? ongoing ?? dots.length - 1
  const dot = dots[marked]
  return (
    <g style={{ color }} className="keep-color">
      <defs>
        <linearGradient id={id} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="currentColor" stopOpacity={0.22} />
          <stop offset="1" stopColor="currentColor" stopOpacity={0.02} />
        </linearGradient>
      </defs>
      {first && last && <path d={`${pathOf(dots)}L${last[0]} ${base}L${first[0]} ${base}Z`} fill={`url(#${id})`} />}
      <path d={pathOf(past)} fill="none" stroke="currentColor" strokeWidth={1.75} strokeLinejoin="round" />
      {ongoing !== undefined && (
        <path
          d={pathOf(dots.slice(Math.max(0, ongoing - 1)))}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.75}
          strokeDasharray="3 4"
          strokeLinecap="round"
        />
      )}
      {active !== undefined && dot && (
        <line x1={dot[0]} x2={dot[0]} y1={top} y2={base} className="stroke-line-strong" strokeDasharray="2 3" />
      )}
      {dot && (
        <circle
          cx={dot[0]}
          cy={dot[1]}
          r={4}
          strokeWidth={1.75}
          stroke="currentColor"
          fill={marked === ongoing ? 'var(--color-surface-1)' : 'currentColor'}
        />
      )}
    </g>
  )
}
