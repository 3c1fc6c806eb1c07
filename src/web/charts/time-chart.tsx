import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { useFrameWidth } from '../browser/use-frame-width.ts'
import { useTimeZone } from '../time/time-zone.ts'
import { pointAfterKey } from './chart-keys.ts'
import { labelledPoints, scaleTicks } from './chart-scale.ts'
import type { ChartColor } from './chart-colors.ts'
import { ChartTip } from './chart-tip.tsx'
import { spanText, spanTick, type TimeSpan } from './span-text.ts'

export interface TimePoint extends TimeSpan {
  count: number
}

export interface TimeChartProps {
  label: string
  points: readonly TimePoint[]
  kind: 'area' | 'bars'
  color: ChartColor
  isHourly: boolean
  /** Index of the point that is still in progress. */
  underWay: 'first' | 'last'
  /** `12 sign-ins`. */
  countText: (count: number) => string
}

export const chartHeight = 200
const top = 8
const bottom = 24
const right = 10
const widestTick = 68
const plotHeight = chartHeight - top - bottom

/** Counts over time. Each point shows its label when pointed at or reached with the arrow keys. */
export function TimeChart(props: TimeChartProps) {
  const { label, points, countText, isHourly, underWay } = props
  const frame = useRef<HTMLDivElement>(null)
  const width = useFrameWidth(frame)
  const timeZone = useTimeZone()
  const [active, setActive] = useState<number>()
  const ticks = scaleTicks(Math.max(...points.map(({ count }) => count)))
  const left = 12 + shortNumber(ticks.at(-1) ?? 0).length * 7
  const plot: Plot = { left, width: Math.max(0, width - left - right), max: ticks.at(-1) ?? 1, count: points.length }
  const last = points.length - 1
  const ongoing = underWay === 'last' ? last : 0
  const atOf = (index: number): string => {
    const point = points[index]
    if (!point) return ''
    const when = spanText(point, isHourly, timeZone)
    return index === ongoing && underWay === 'last' ? t`${when}, so far` : when
  }
  const valueOf = (index: number): string => countText(points[index]?.count ?? 0)

  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - plot.left
    setActive(Math.min(last, Math.max(0, Math.floor((x / plot.width) * points.length))))
  }
  const move = (event: KeyboardEvent) => {
    const to = pointAfterKey(event.key, active ?? last, last)
    if (to === undefined) return
    event.preventDefault()
    setActive(to)
  }
  const isMeasured = Number.isFinite(width)
  return (
    <div ref={frame} className="relative min-w-0" style={{ height: chartHeight }}>
      {isMeasured && (
        <>
          <svg
            role="img"
            aria-label={summaryOf(props, atOf)}
            width={width}
            height={chartHeight}
            className="block touch-pan-y overflow-visible select-none"
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setActive(undefined)}
          >
            <Grid ticks={ticks} plot={plot} />
            {labelledPoints(points.length, Math.floor(plot.width / widestTick)).map((index) => {
              const each = points[index]
              return (
                each && (
                  <text
                    key={index}
                    x={Math.min(middleOf(plot, index), width - 18)}
                    y={chartHeight - 6}
                    textAnchor="middle"
                    className="fill-text-3 text-meta tabular-nums"
                  >
                    {spanTick(each, isHourly, timeZone)}
                  </text>
                )
              )
            })}
            {props.kind === 'area' ? (
              <Area {...props} plot={plot} ongoing={ongoing} active={active} />
            ) : (
              <Bars {...props} plot={plot} ongoing={ongoing} active={active} />
            )}
          </svg>
          {/* Over the plot and no obstacle to the pointer: what the arrow keys move, and what is read out. */}
          <div
            role="slider"
            tabIndex={0}
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={last}
            aria-valuenow={active ?? last}
            aria-valuetext={`${atOf(active ?? last)}: ${valueOf(active ?? last)}`}
            onKeyDown={move}
            onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(active ?? last)}
            onBlur={() => setActive(undefined)}
            className="pointer-events-none absolute inset-0 rounded-md"
          />
          {active !== undefined && (
            <ChartTip x={middleOf(plot, active)} width={width} when={atOf(active)} value={valueOf(active)} />
          )}
        </>
      )}
    </div>
  )
}

interface Plot {
  left: number
  width: number
  /** Value at the upper edge. */
  max: number
  /** Number of points. */
  count: number
}

const middleOf = ({ left, width, count }: Plot, index: number): number => left + (width * (index + 0.5)) / count
const heightOf = ({ max }: Plot, count: number): number => (count / max) * plotHeight
const topOf = (plot: Plot, count: number): number => top + plotHeight - heightOf(plot, count)

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

interface Marks extends Pick<TimeChartProps, 'points' | 'color' | 'underWay'> {
  plot: Plot
  /** Index of the point that is still in progress. */
  ongoing: number
  active: number | undefined
}

/** A line above its area; the segment to the point in progress is dashed. */
function Area({ points, color, plot, ongoing, active }: Marks) {
  const id = useId()
  const dots = points.map(({ count }, index) => [middleOf(plot, index), topOf(plot, count)] as const)
  const path = (some: readonly (readonly [number, number])[]) =>
    some.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
  const past = dots.slice(0, ongoing)
  const base = top + plotHeight
  const [first, last] = [dots[0], dots.at(-1)]
  const marked = active ?? ongoing
  const dot = dots[marked]
  return (
    <g style={{ color }} className="keep-color">
      <defs>
        <linearGradient id={id} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="currentColor" stopOpacity={0.22} />
          <stop offset="1" stopColor="currentColor" stopOpacity={0.02} />
        </linearGradient>
      </defs>
      {first && last && <path d={`${path(dots)}L${last[0]} ${base}L${first[0]} ${base}Z`} fill={`url(#${id})`} />}
      <path d={path(past)} fill="none" stroke="currentColor" strokeWidth={1.75} strokeLinejoin="round" />
      <path
        d={path(dots.slice(Math.max(0, ongoing - 1)))}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.75}
        strokeDasharray="3 4"
        strokeLinecap="round"
      />
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

/** Bars; the one in progress is only outlined. */
function Bars({ points, color, plot, ongoing, active }: Marks) {
  const slot = plot.width / plot.count
  const gap = slot > 6 ? Math.min(6, slot * 0.28) : 0.5
  const size = Math.min(36, slot - gap)
  return (
    <g style={{ color }} className="keep-color">
      {active !== undefined && (
        <rect
          x={plot.left + slot * active}
          y={top}
          width={slot}
          height={plotHeight}
          className="fill-surface-2"
          rx={2}
        />
      )}
      {points.map(({ from, count }, index) => {
        const height = count === 0 ? 0 : Math.max(2, heightOf(plot, count))
        const isOngoing = index === ongoing
        return (
          <rect
            key={from}
            x={middleOf(plot, index) - size / 2}
            y={top + plotHeight - height}
            width={size}
            height={height}
            rx={Math.min(2, size / 3)}
            fill="currentColor"
            fillOpacity={isOngoing ? 0.3 : active === undefined || active === index ? 0.9 : 0.6}
            stroke={isOngoing && height > 0 ? 'currentColor' : 'none'}
          />
        )
      })}
    </g>
  )
}
