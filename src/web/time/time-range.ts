import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { dayStamp } from './time-text.ts'

/** What a list is narrowed to: the last days, or from one calendar day to another, either of which may be left out. */
export type TimeRange = { days: number } | { from: string | undefined; until: string | undefined }

const day = 86_400
/** Nothing here is older than the millennium. */
const stamp = /^2\d{3}-\d\d-\d\d$/

/** Whether this is a day of the calendar, as `2026-12-21`. */
export function isDay(text: string): boolean {
  const at = stamp.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text
}

/** Reads `7` or `2026-12-01..2026-12-21` of an address; undefined for anything else. */
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

/** As it stands in an address. */
export const timeRangeParam = ({ from = '', until = '' }: { from?: string; until?: string }): string =>
  `${from}..${until}`

/** The first second of a calendar day in the zone, also where clocks leave out midnight. Epoch seconds. */
export function startOfDay(text: string, timeZone: string): number {
  const midnight = Date.parse(`${text}T00:00:00Z`) / 1000
  // No zone is a whole day from UTC.
  let [before, at] = [midnight - day, midnight + day]
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (dayStamp(middle, timeZone) < text) before = middle
    else at = middle
  }
  return at
}

/** As calls take it; epoch seconds, both included. */
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
