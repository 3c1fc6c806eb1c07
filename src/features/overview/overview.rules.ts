/** Periods of the overview, and the hours and days that they consist of. */

export const overviewDays = [1, 7, 30, 90] as const
export type OverviewDays = (typeof overviewDays)[number]

export const hourSeconds = 3600

/** Hours since 1970, the last one exclusive. */
export interface Span {
  first: number
  last: number
}

const dayFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

/**
 * The hours of the last day, or the days of a longer period, oldest first; the last one is under way at `now` (epoch
 * seconds). Days are the zone's, made of whole hours: one that begins within an hour begins with the nearest of them.
 */
export function pastSpans(days: OverviewDays, timeZone: string, now: number): Span[] {
  const current = Math.floor(now / hourSeconds)
  if (days === 1) return hours(current - 23, current + 1)
  // Two days more than the period has hours for, because a day may have 25; the first of them is cut off.
  return daysBetween({ first: current - (days + 2) * 24, last: current + 1 }, timeZone).slice(-days)
}

/** The same for what is to come: the first one is under way. */
export function comingSpans(days: OverviewDays, timeZone: string, now: number): Span[] {
  const current = Math.floor(now / hourSeconds)
  if (days === 1) return hours(current, current + 24)
  return daysBetween({ first: current, last: current + (days + 2) * 24 }, timeZone).slice(0, days)
}

const hours = (from: number, to: number): Span[] =>
  Array.from({ length: to - from }, (_, index) => ({ first: from + index, last: from + index + 1 }))

const shortestDay = 23

/** An hour belongs to the day that its middle is in. */
function daysBetween({ first, last }: Span, timeZone: string): Span[] {
  const format = dayFormat(timeZone)
  const dayOf = (hour: number) => format.format((hour + 0.5) * hourSeconds * 1000)
  const days: Span[] = []
  for (let from = first; from < last;) {
    const day = dayOf(from)
    // Asking for every hour would take ten times as long; the first day alone may be a part of one.
    let to = from + (days.length === 0 ? 1 : shortestDay)
    while (dayOf(to) === day) to += 1
    days.push({ first: from, last: Math.min(to, last) })
    from = to
  }
  return days
}

/** Whether the zone's days begin within an hour at some time, so that they are rounded to whole ones. */
export function hasRoundedDays(spans: readonly Span[], timeZone: string): boolean {
  const minute = new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' })
  return spans.some(({ first }) => Number(minute.format(first * hourSeconds * 1000)) !== 0)
}
