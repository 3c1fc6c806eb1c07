/** Color tokens of styles.css, distinguishable in both themes and against the surface. */
export const chartColors = {
  green: 'var(--color-chart-green)',
  blue: 'var(--color-chart-blue)',
  amber: 'var(--color-chart-amber)',
  rose: 'var(--color-chart-rose)',
  teal: 'var(--color-chart-teal)',
} as const

export type ChartColor = (typeof chartColors)[keyof typeof chartColors]
