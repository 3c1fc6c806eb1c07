import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { dayStamp } from './time-text.ts'

/** A time filter: the last days, or a range of calendar days with an optional start or end. */
export type TimeRange = { days: number } | { from: string | undefined; until: string | undefined }

const day = 86_400
/** No data is older than the year 2000. */
const stamp = /^2\d{3}-\d\d-\d\d$/

/** Whether the text is a calendar day such as `2026-12-21`. */
export function isDay(text: string): boolean {
  const at = stamp.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}

/** Parses `7` or `2026-12-01..2026-12-21` from a URL; undefined for anything else. */
export function readTimeRange(text: string | undefined): TimeRange | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,2}$/.test(text)) return { days: Number(text) }
  const [from = '', until = '', ...more] = text.split('..')
  const days = [from, until].filter((each) => each !== '')
  if (more.length > 0 || days.length === 0 || !text.includes('..') || !days.every(isDay)) return undefined
  return from !== '' && until !== '' && from > until
    ? undefined
    : { from: from || undefined, until: until || undefined }
}

/** The format used in a URL. */
export const timeRangeParam = ({ from = '', until = '' }: { from?: string; until?: string }): string =>
  `${from}..${until}`

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
  const { from, until } = range
  return {
    ...(from !== undefined && { from: startOfDay(from, timeZone) }),
    ...(until !== undefined && { until: startOfDay(dayAfter(until), timeZone) - 1 }),
  }
}

const dayAfter = (text: string): string =>
  new Date(Date.parse(`${text}T00:00:00Z`) + day * 1000).toISOString().slice(0, 10)

/** `Last 30 days`, `Dec 1 – 21, 2026`, `From Dec 1, 2026`, `Until Dec 21, 2026`. */
export function timeRangeText(range: TimeRange): string {
  if ('days' in range) return plural(range.days, { one: 'Last 24 hours', other: 'Last # days' })
  const format = new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const { from, until } = range
  const [first, last] = [from, until].map((each) => (each === undefined ? undefined : Date.parse(each)))
  if (first !== undefined && last !== undefined) return format.formatRange(first, last)
  const date = format.format(first ?? last)
  return first === undefined ? t`Until ${date}` : t`From ${date}`
}
