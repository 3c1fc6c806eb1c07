/** Periods of the overview and their hours and days. */

export const overviewDays = [1, 7, 30, 90] as const
export type OverviewDays = (typeof overviewDays)[number]

export const hourSeconds = 3600

/** Hours since 1970; `last` is exclusive. */
export interface Span {
  first: number
  last: number
}

const dayFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

/**
 * The last 24 hours, or the days of a longer period, oldest first; the last one is in progress at `now` (epoch
 * seconds). Days are those of the time zone, in whole hours: a day that begins within an hour begins at the nearest
 * whole hour.
 */
export function pastSpans(days: OverviewDays, timeZone: string, now: number): Span[] {
  const current = Math.floor(now / hourSeconds)
  if (days === 1) return hours(current - 23, current + 1)
  // Two extra days, because a day can have 25 hours; days beyond the period are cut off.
  return daysBetween({ first: current - (days + 2) * 24, last: current + 1 }, timeZone).slice(-days)
}

/** The same for the future: the first span is in progress. */
export function comingSpans(days: OverviewDays, timeZone: string, now: number): Span[] {
  const current = Math.floor(now / hourSeconds)
  if (days === 1) return hours(current, current + 24)
  return daysBetween({ first: current, last: current + (days + 2) * 24 }, timeZone).slice(0, days)
}

const hours = (from: number, to: number): Span[] =>
  Array.from({ length: to - from }, (_, index) => ({ first: from + index, last: from + index + 1 }))

const shortestDay = 23

/** An hour belongs to the day that contains its middle. */
function daysBetween({ first, last }: Span, timeZone: string): Span[] {
  const format = dayFormat(timeZone)
  const dayOf = (hour: number) => format.format((hour + 0.5) * hourSeconds * 1000)
  const days: Span[] = []
  for (let from = first; from < last;) {
    const day = dayOf(from)
    // Checking every hour would take ten times as long. Only the first day can be incomplete.
    let to = from + (days.length === 0 ? 1 : shortestDay)
    while (dayOf(to) === day) to += 1
    days.push({ first: from, last: Math.min(to, last) })
    from = to
  }
  return days
}

/** Whether any of the zone's days begins within an hour, so that days are rounded to whole hours. */
export function hasRoundedDays(spans: readonly Span[], timeZone: string): boolean {
  const minute = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' })
  return spans.some(({ first }) => Number(minute.format(first * hourSeconds * 1000)) !== 0)
}
