import type { ChartColor } from './chart-colors.ts'

interface ChartLegendProps {
  /** How this period is drawn; the one before is always a line. */
  kind: 'area' | 'bars'
  color: ChartColor
  now: string
  before: string
}

/** Explains the marks of a chart with a period before. */
export function ChartLegend({ kind, color, now, before }: ChartLegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-text-2">
      <li className="flex items-center gap-1.5">
        <svg aria-hidden="true" width={16} height={8} className="keep-color shrink-0" style={{ color }}>
          {kind === 'bars' ? (
            <rect x={4} width={8} height={8} rx={2} fill="currentColor" fillOpacity={0.5} />
          ) : (
            <line x1={0} x2={16} y1={4} y2={4} stroke="currentColor" strokeWidth={2} />
          )}
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
