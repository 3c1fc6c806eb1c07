const tipHalf = 84

interface ChartTipProps {
  /** In pixels from the left edge of a frame of width `width`. */
  x: number
  width: number
  when: string
  value: string
  /** A second line, for what the value is compared with. */
  before?: string | undefined
}

/** Tooltip of a chart point. */
export function ChartTip({ x, width, when, value, before }: ChartTipProps) {
  const half = before === undefined ? tipHalf : tipHalf * 1.3
  const at = Math.min(Math.max(x, half), Math.max(half, width - half))
  return (
    <div
      aria-hidden="true"
      style={{ left: at }}
      className="pointer-events-none absolute -top-2 z-10 -translate-x-1/2 rounded-md border border-line bg-surface-2 px-2 py-1 text-center text-meta whitespace-nowrap shadow-overlay"
    >
      <span className="block text-text-2">{when}</span>
      <span className="block font-semibold text-text tabular-nums">{value}</span>
      {before !== undefined && <span className="block text-text-2 tabular-nums">{before}</span>}
    </div>
  )
}
