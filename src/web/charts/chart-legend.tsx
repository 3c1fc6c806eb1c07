import type { ChartColor } from './chart-colors.ts'

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
