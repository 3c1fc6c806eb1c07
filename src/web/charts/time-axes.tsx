import { i18n } from '@lingui/core'
import { useMemo } from 'react'
import { scaleTicks } from './chart-scale.ts'
import { middleOf, type Plot, top, topOf } from './plot.ts'
import { spanTick, type TimeSpan } from './span-text.ts'
import { tickedPoints } from './time-ticks.ts'

export const chartHeight = 200
const bottom = 24
const right = 10
const widestTick = 68

/** The plot of these counts within a chart of this size, and the values that its lines stand for. */
export function plotOf(
  counts: readonly number[],
  points: number,
  { width, height }: { width: number; height: number },
) {
  const ticks = scaleTicks(Math.max(...counts), height < chartHeight ? 3 : 4)
  const left = 12 + shortNumber(ticks.at(-1) ?? 0).length * 7
  const plot: Plot = {
    left,
    width: Math.max(0, width - left - right),
    height: height - top - bottom,
    max: ticks.at(-1) ?? 1,
    count: points,
  }
  return { plot, ticks }
}

/** Short number for an axis: `12K`. */
function shortNumber(value: number): string {
  return new Intl.NumberFormat(i18n.locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** The horizontal lines with their values. */
export function Grid({ ticks, plot }: { ticks: readonly number[]; plot: Plot }) {
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

interface Times {
  points: readonly TimeSpan[]
  plot: Plot
  isHourly: boolean
  timeZone: string
}

/** The times below the plot. */
export function TimeAxis({ points, plot, isHourly, timeZone }: Times) {
  const atMost = Math.floor(plot.width / widestTick)
  const ticked = useMemo(
    () => tickedPoints(points, { atMost, isHourly, timeZone }),
    [points, atMost, isHourly, timeZone],
  )
  return ticked.map((index) => {
    const point = points[index]
    return (
      point && (
        <text
          key={index}
          x={Math.min(middleOf(plot, index), plot.left + plot.width + right - 18)}
          y={top + plot.height + bottom - 6}
          textAnchor="middle"
          className="fill-text-3 text-meta tabular-nums"
        >
          {spanTick(point, isHourly, timeZone)}
        </text>
      )
    )
  })
}
