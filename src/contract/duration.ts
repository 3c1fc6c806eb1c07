/** Durations as the specification defines them: a month is 30 days, a year 365. */

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

/** A thousand years: sums of durations are capped here instead of overflowing. */
export const maxDurationSeconds = 1000 * unitSeconds.years

/** `amount` of `unit` in seconds, at most a thousand years. `lifetime` is 0. */
export function durationSeconds(amount: number, unit: DurationUnit | 'lifetime'): number {
  if (unit === 'lifetime') return 0
  return Math.min(amount * unitSeconds[unit], maxDurationSeconds)
}

/**
 * The largest unit that divides the duration evenly: 45 days are neither whole months nor weeks. 0 or less has no unit.
 */
export function exactUnit(seconds: number): { count: number; unit: DurationUnit } | null {
  if (seconds <= 0) return null
  const units = Object.keys(unitSeconds).toReversed() as DurationUnit[]
  const unit = units.find((each) => seconds % unitSeconds[each] === 0) ?? 'seconds'
  return { count: seconds / unitSeconds[unit], unit }
}

/** `45 days`, `1 month`, `1 year`, never rounded; 0 or empty is `Lifetime`. */
export function formatDuration(seconds: number | null | undefined): string {
  const exact = exactUnit(seconds ?? 0)
  if (!exact) return 'Lifetime'
  return `${exact.count} ${exact.count === 1 ? exact.unit.slice(0, -1) : exact.unit}`
}
