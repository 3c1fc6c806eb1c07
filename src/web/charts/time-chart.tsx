import { type PointerEvent, useRef, useState } from 'react'
import { useFrameWidth } from '../browser/use-frame-width.ts'
import { useTimeZone } from '../browser/time-zone.ts'
import type { ChartColor } from './chart-colors.ts'
import { ChartTip } from './chart-tip.tsx'
import { middleOf, type Plot, type TimePoint, top } from './plot.ts'
import type { TimeSpan } from './span-text.ts'
import { Area, Before } from './time-area.tsx'
import { chartHeight, Grid, plotOf, TimeAxis } from './time-axes.tsx'
import { Bars } from './time-bars.tsx'
import { chartTexts } from './time-chart-texts.ts'
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

/** Counts over time. Each point shows its label when pointed at or reached with the arrow keys. */
export function TimeChart(props: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useFrameWidth(frame)
  const { height = chartHeight } = props
  return (
    <div ref={frame} className="relative min-w-0" style={{ height }}>
      {Number.isFinite(width) && <MeasuredChart {...props} width={width} height={height} />}
    </div>
  )
}

function MeasuredChart(props: TimeChartProps & { width: number; height: number }) {
  const { label, points, previous, countText, isHourly, underWay, width, height, onSelect } = props
  const timeZone = useTimeZone()
  const [active, setActive] = useState<number>()
  const last = points.length - 1
  const { plot, ticks } = plotOf(
    [...points, ...(previous ?? [])].map(({ count }) => count),
    points.length,
    { width, height },
  )
  const byClick = props.selectsByClick ?? false
  const brush = useBrush({ points, active, setActive, onSelect, canSelectOne: byClick || !isHourly, byClick })
  const texts = chartTexts(props, timeZone)
  const selection = brush.selected && texts.selectionText(brush.selected)
  const marks = { plot, ongoing: { last, first: 0, none: undefined }[underWay], active }

  const indexAt = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - plot.left
    return Math.min(last, Math.max(0, Math.floor((x / plot.width) * points.length)))
  }
  return (
    <>
      <svg
        role="img"
        aria-label={texts.summary}
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
        <TimeAxis points={points} plot={plot} isHourly={isHourly} timeZone={timeZone} />
        {brush.selected && <Selected plot={plot} range={brush.selected} />}
        {props.kind === 'area' ? <Area {...props} {...marks} /> : <Bars {...props} {...marks} />}
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
        aria-valuetext={texts.spoken(active ?? last, selection)}
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
          when={selection ?? texts.atOf(active)}
          value={selection === undefined ? texts.valueOf(active) : countText(sumOf(points, brush.selected))}
          before={selection === undefined ? texts.beforeOf(active) : undefined}
        />
      )}
    </>
  )
}

const sumOf = (points: readonly TimePoint[], range: Selection | undefined): number =>
  range ? points.slice(range.from, range.to + 1).reduce((sum, { count }) => sum + count, 0) : 0

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
