import type { ChartColor } from './chart-colors.ts'
import { heightOf, type Marks, middleOf, top } from './plot.ts'

interface BarMarks extends Marks {
  part?: { color: ChartColor } | undefined
}

interface Bar {
  x: number
  width: number
  base: number
  /** Where it begins and ends above the base. */
  below: number
  height: number
  /** Height with the part above. */
  whole?: number
}

/** Rounded at the top of the whole bar only. */
function barPath({ x, width, base, below, height, whole = height }: Bar): string {
  const round = whole > height ? 0 : Math.min(2, width / 3, height - below)
  const [end, edge] = [x + width, base - height]
  return `M${x} ${base - below}V${edge + round}Q${x} ${edge} ${x + round} ${edge}H${end - round}Q${end} ${edge} ${end} ${edge + round}V${base - below}Z`
}

/** Bars; the one in progress is only outlined. */
export function Bars({ points, color, part, plot, ongoing, active }: BarMarks) {
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
          height={plot.height}
          className="fill-surface-2"
          rx={2}
        />
      )}
      {points.map(({ from, count, part: some = 0 }, index) => {
        const height = count === 0 ? 0 : Math.max(2, heightOf(plot, count))
        // A part is never drawn as the whole.
        const below = some === count ? height : Math.min(height - 1, some === 0 ? 0 : Math.max(1, heightOf(plot, some)))
        const isOngoing = index === ongoing
        const bar = { x: middleOf(plot, index) - size / 2, width: size, base: top + plot.height }
        return (
          <g key={from}>
            {height > below && (
              <path
                d={barPath({ ...bar, below, height })}
                fill="currentColor"
                fillOpacity={isOngoing ? 0.2 : active === index ? 0.9 : 0.5}
                stroke={isOngoing ? 'currentColor' : 'none'}
              />
            )}
            {part && below > 0 && (
              <path d={barPath({ ...bar, below: 0, height: below, whole: height })} fill={part.color} />
            )}
          </g>
        )
      })}
    </g>
  )
}
