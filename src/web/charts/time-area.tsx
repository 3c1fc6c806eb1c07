import { useId } from 'react'
import { type Marks, middleOf, type Plot, type TimePoint, top, topOf } from './plot.ts'

const pathOf = (dots: readonly (readonly [number, number])[]): string =>
  dots.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** A line above its area; the segment to the point in progress is dashed. */
export function Area({ points, color, plot, ongoing, active }: Marks) {
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

/** The period before. */
export function Before({ points, plot }: { points: readonly TimePoint[]; plot: Plot }) {
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
