const tipHalf = 84

/** Tooltip of a chart point; `x` in pixels from the left edge of a frame of width `width`. */
export function ChartTip({ x, width, when, value }: { x: number; width: number; when: string; value: string }) {
  const at = Math.min(Math.max(x, tipHalf), Math.max(tipHalf, width - tipHalf))
  return (
    <div
      aria-hidden="true"
      style={{ left: at }}
      className="pointer-events-none absolute -top-2 z-10 -translate-x-1/2 rounded-md border border-line bg-surface-2 px-2 py-1 text-center text-meta whitespace-nowrap shadow-overlay"
    >
      <span className="block text-text-2">{when}</span>
      <span className="block font-semibold text-text tabular-nums">{value}</span>
    </div>
  )
}
