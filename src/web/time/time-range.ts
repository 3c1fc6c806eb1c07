import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { dayStamp } from './time-text.ts'

/**
 * A time filter: the last days, a range of calendar days with an optional start or end, or whole minutes from `since`
 * to before `end`, in epoch seconds.
 */
export type TimeRange =
  | { days: number }
  | { from: string | undefined; until: string | undefined }
  | { since: number; end: number }

const day = 86_400
/** No data is older than the year 2000. */
const stamp = /^2\d{3}-\d\d-\d\d$/
const minute = /^2\d{3}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\dZ$/

/** The days of a range are in these years. */
export const [earliestDay, latestDay] = ['2000-01-01', '2999-12-31']

/** Whether the text is a calendar day such as `2026-12-21`. */
export function isDay(text: string): boolean {
  const at = stamp.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}

const isMinute = (text: string): boolean => minute.test(text) && isDay(text.slice(0, 10))

/** Parses `7`, `2026-12-01..2026-12-21`, or `2026-12-01T14:05Z..2026-12-02T13:00Z` from a URL. */
export function readTimeRange(text: string | undefined): TimeRange | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,2}$/.test(text)) return { days: Number(text) }
  const [from = '', until = '', ...more] = text.split('..')
  if (more.length === 0 && isMinute(from) && isMinute(until)) {
    const [since, end] = [Date.parse(from) / 1000, Date.parse(until) / 1000]
    return since < end ? { since, end } : undefined
  }
  const days = [from, until].filter((each) => each !== '')
  if (more.length > 0 || days.length === 0 || !text.includes('..') || !days.every(isDay)) return undefined
  return from !== '' && until !== '' && from > until
    ? undefined
    : { from: from || undefined, until: until || undefined }
}

/** The format used in a URL. */
export const timeRangeParam = ({ from = '', until = '' }: { from?: string; until?: string }): string =>
  `${from}..${until}`

const minuteText = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16)}Z`

/**
 * A period of whole minutes for a URL: as calendar days where it is these, otherwise as times. One that goes on at `now`
 * ends with its day. All in epoch seconds.
 */
export function timeSpanParam({ from, to }: { from: number; to: number }, timeZone: string, now: number): string {
  const [first, last] = [dayStamp(from, timeZone), dayStamp(to - 1, timeZone)]
  const areDays = startOfDay(first, timeZone) === from && (to > now || startOfDay(dayAfter(last), timeZone) === to)
  return areDays ? timeRangeParam({ from: first, until: last }) : `${minuteText(from)}..${minuteText(to)}`
}

/**
 * The first second of a calendar day in the time zone, even if midnight is skipped by daylight saving time. Epoch
 * seconds.
 */
export function startOfDay(text: string, timeZone: string): number {
  const midnight = Date.parse(`${text}T00:00:00Z`) / 1000
  // All time zones differ from UTC by less than a day.
  let [before, at] = [midnight - day, midnight + day]
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (dayStamp(middle, timeZone) < text) before = middle
    else at = middle
  }
  return at
}

/** Bounds for calls, in epoch seconds, both inclusive. */
export function timeRangeBounds(
  range: TimeRange | undefined,
  timeZone: string,
): { days?: number; from?: number; until?: number } {
  if (!range) return {}
  if ('days' in range) return range
  if ('since' in range) return { from: range.since, until: range.end - 1 }
  const { from, until } = range
  return {
    ...(from !== undefined && { from: startOfDay(from, timeZone) }),
    ...(until !== undefined && { until: startOfDay(dayAfter(until), timeZone) - 1 }),
  }
}

/**
 * The same for calls without `days`: the last days are calendar days, with today; one day is the last 24 hours. To the
 * minute, so that the same address has the same rows in the cache. `now` in epoch seconds.
 */
export function calendarBounds(
  range: TimeRange | undefined,
  timeZone: string,
  now: number,
): { from?: number; until?: number } {
  if (!range || !('days' in range)) return timeRangeBounds(range, timeZone)
  if (range.days === 1) return { from: startOfMinute(now) - day }
  return { from: startOfDay(daysAfter(dayStamp(now, timeZone), 1 - range.days), timeZone) }
}

/**
 * The same for times to come: a range without a beginning, or that begins in this hour, begins now, unless it has
 * already ended.
 */
export function comingBounds(
  range: TimeRange | undefined,
  timeZone: string,
  now: number,
): { from?: number; until?: number } {
  const bounds = timeRangeBounds(range, timeZone)
  const { from, until } = 'days' in bounds ? { from: now, until: now + (bounds.days ?? 0) * day } : bounds
  if (until === undefined || until < now) return { from, until }
  const beginsNow = from === undefined || (from <= now && from > now - 3600)
  return { from: beginsNow ? startOfMinute(now) : from, until }
}

const startOfMinute = (at: number): number => at - (at % 60)

const daysAfter = (text: string, days: number): string =>
  new Date(Date.parse(`${text}T00:00:00Z`) + days * day * 1000).toISOString().slice(0, 10)

export const dayAfter = (text: string): string => daysAfter(text, 1)

/** `Last 30 days`, `Dec 1, 2026, 2:00 – 6:00 PM`, `Dec 1 – 21, 2026`, `From Dec 1, 2026`, `Until Dec 21, 2026`. */
export function timeRangeText(range: TimeRange, timeZone: string): string {
  if ('days' in range) return plural(range.days, { one: 'Last 24 hours', other: 'Last # days' })
  if ('since' in range) {
    const hours = new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
    return hours.formatRange(range.since * 1000, range.end * 1000)
  }
  const format = new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const { from, until } = range
  const [first, last] = [from, until].map((each) => (each === undefined ? undefined : Date.parse(each)))
  if (first !== undefined && last !== undefined) return format.formatRange(first, last)
  const date = format.format(first ?? last)
  return first === undefined ? t`Until ${date}` : t`From ${date}`
}
