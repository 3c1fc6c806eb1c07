import type { ChartColor } from './chart-colors.ts'
import type { TimeSpan } from './span-text.ts'

export interface TimePoint extends TimeSpan {
  count: number
  /** How many of them are drawn in another color, at the bottom of the bar. */
  part?: number
}

/** Space above the plot, for the uppermost line. */
export const top = 8

export interface Plot {
  left: number
  width: number
  height: number
  /** Value at the upper edge. */
  max: number
  /** Number of points. */
  count: number
}

export const middleOf = ({ left, width, count }: Plot, index: number): number => left + (width * (index + 0.5)) / count
export const heightOf = ({ max, height }: Plot, count: number): number => (count / max) * height
export const topOf = (plot: Plot, count: number): number => top + plot.height - heightOf(plot, count)

export interface Marks {
  points: readonly TimePoint[]
  color: ChartColor
  plot: Plot
  /** Index of the point that is still in progress. */
  ongoing: number | undefined
  active: number | undefined
}
