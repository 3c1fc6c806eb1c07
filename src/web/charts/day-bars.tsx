import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useFrameWidth } from '../browser/use-frame-width.ts'
import { pointAfterKey } from './chart-keys.ts'
import { ChartTip } from './chart-tip.tsx'

export interface DayBar {
  /** Start of the day, epoch seconds. */
  from: number
  /** Segments from bottom to top, each tall enough to be visible. */
  shares: readonly { kind: BarKind; share: number }[]
  /** Label such as `Nov 18` with a description of the day. */
  when: string
  text: string
}

/** `quiet` is the normal state; `missing` is gray: no data. */
export type BarKind = 'alarm' | 'warning' | 'missing' | 'quiet'

interface DayBarsProps {
  label: string
  /** A summary in one sentence for screen readers. */
  summary: string
  days: readonly DayBar[]
  height: number
}

const fills: Record<BarKind, string> = {
  alarm: 'fill-danger',
  warning: 'fill-chart-amber',
  missing: 'fill-surface-3 forced-colors:stroke-line',
  quiet: 'fill-chart-green/45 forced-colors:fill-[GrayText]',
}

/** Minimum height, so that even a short segment is visible. */
const minShares: Record<BarKind, number> = { alarm: 0.5, warning: 0.35, missing: 0.2, quiet: 0.2 }

/** One bar of equal height per day, divided by the states of the day. */
export function DayBars({ label, summary, days, height }: DayBarsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useFrameWidth(frame)
  const [active, setActive] = useState<number>()
  const last = days.length - 1
  const slot = width / days.length
  const shown = days[active ?? last]
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    setActive(Math.min(last, Math.max(0, Math.floor(x / slot))))
  }
  const move = (event: KeyboardEvent) => {
    const to = pointAfterKey(event.key, active ?? last, last)
    if (to === undefined) return
    event.preventDefault()
    setActive(to)
  }
  return (
    <div ref={frame} className="relative min-w-0" style={{ height }}>
      {Number.isFinite(width) && (
        <>
          <svg
            role="img"
            aria-label={summary}
            width={width}
            height={height}
            className="block touch-pan-y overflow-visible select-none"
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setActive(undefined)}
          >
            {days.map((day, at) => (
              <Bar key={day.from} day={day} x={slot * at} slot={slot} height={height} isDim={isOther(active, at)} />
            ))}
          </svg>
          <div
            role="slider"
            tabIndex={0}
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={last}
            aria-valuenow={active ?? last}
            aria-valuetext={shown && `${shown.when}: ${shown.text}`}
            onKeyDown={move}
            onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(active ?? last)}
            onBlur={() => setActive(undefined)}
            className="pointer-events-none absolute -inset-1 rounded-md"
          />
          {active !== undefined && shown && (
            <div className="absolute inset-x-0 -top-9">
              <ChartTip x={slot * (active + 0.5)} width={width} when={shown.when} value={shown.text} />
            </div>
          )}
        </>
      )}
    </div>
  )
}

const isOther = (active: number | undefined, at: number): boolean => active !== undefined && active !== at

interface BarProps {
  day: DayBar
  x: number
  slot: number
  height: number
  isDim: boolean
}

function Bar({ day, x, slot, height, isDim }: BarProps) {
  const gap = slot > 5 ? 2 : 1
  const size = Math.max(1, slot - gap)
  return (
    <g className="keep-color" opacity={isDim ? 0.55 : 1}>
      {visibleShares(day.shares).map(({ kind, share, below }) => {
        const part = share * height
        const top = height - below * height - part
        return (
          <rect
            key={kind}
            x={x + gap / 2}
            y={top}
            width={size}
            height={part}
            rx={Math.min(1.5, size / 3)}
            className={fills[kind]}
          />
        )
      })}
    </g>
  )
}

/** Visible segments of the day, each with the offset of those below it. */
function visibleShares(shares: DayBar['shares']): { kind: BarKind; share: number; below: number }[] {
  const present = shares.filter(({ share }) => share > 0)
  const raised = present.map(({ kind, share }) => ({ kind, share: Math.max(share, minShares[kind]) }))
  const all = raised.reduce((sum, { share }) => sum + share, 0)
  const sumTo = (end: number) => raised.slice(0, end).reduce((sum, { share }) => sum + share, 0)
  return raised.map(({ kind, share }, at) => ({ kind, share: share / all, below: sumTo(at) / all }))
}
