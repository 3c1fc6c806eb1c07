/** Lengths of time as the specification counts them: a month is 30 days, a year 365. */

export const unitSeconds = {
  seconds: 1,
  minutes: 60,
  hours: 3_600,
  days: 86_400,
  weeks: 604_800,
  months: 2_592_000,
  years: 31_536_000,
} as const

export type DurationUnit = keyof typeof unitSeconds

/** A thousand years: past it a sum of times stops growing instead of overflowing (R-LIC-06). */
export const maxDurationSeconds = 1000 * unitSeconds.years

/** `amount` of `unit` in seconds, never above a thousand years. `lifetime` is 0. */
export function durationSeconds(amount: number, unit: DurationUnit | 'lifetime'): number {
  if (unit === 'lifetime') return 0
  return Math.min(amount * unitSeconds[unit], maxDurationSeconds)
}

/** The largest unit that fits, with its whole count: 5,400 s is 1 hour. 0 or less has no unit. */
export function largestUnit(seconds: number): { count: number; unit: DurationUnit } | null {
  const units = Object.keys(unitSeconds).toReversed() as DurationUnit[]
  for (const unit of units) {
    const count = Math.floor(seconds / unitSeconds[unit])
    if (count >= 1) return { count, unit }
  }
  return null
}

/** `30 days`, `1 year`; 0 or empty is `Lifetime`. */
export function formatDuration(seconds: number | null | undefined): string {
  const largest = largestUnit(seconds ?? 0)
  if (!largest) return 'Lifetime'
  return `${largest.count} ${largest.count === 1 ? largest.unit.slice(0, -1) : largest.unit}`
}
