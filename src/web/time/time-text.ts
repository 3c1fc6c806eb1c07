import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { unitSeconds } from '#contract/duration.ts'
import { clockTime } from './clock-time.ts'

/**
 * Every length, date and time of the dashboard. Times are epoch seconds, lengths are seconds.
 *
 * Where days are named they are calendar days of the zone: on November 21 "30 days left" is December 21, at any hour.
 * What is left names no weeks and months, because nobody can add "1 month" to a date and be sure of the result.
 */

const units = [
  ['year', unitSeconds.years],
  ['day', unitSeconds.days],
  ['hour', unitSeconds.hours],
  ['minute', unitSeconds.minutes],
  ['second', unitSeconds.seconds],
] as const

type Unit = (typeof units)[number][0]

/** A month is 30 days in durations, but not in dates. */
const writtenUnits = [units[0], ['month', unitSeconds.months], ['week', unitSeconds.weeks], ...units.slice(1)] as const

const { days: day, hours: hour, minutes: minute } = unitSeconds

/** The largest fitting unit, and the remainder in the next smaller one, as counts. */
function parts(seconds: number, largest: Unit): { count: number; unit: Unit }[] {
  const allowed = units.slice(units.findIndex(([unit]) => unit === largest))
  const first = Math.max(
    allowed.findIndex(([, size]) => seconds >= size),
    0,
  )
  const [[unit, size], next] = [allowed[first] ?? units[0], allowed[first + 1]]
  const counts = [{ count: Math.floor(seconds / size), unit }]
  const rest = next ? Math.floor((seconds % size) / next[1]) : 0
  if (next && rest > 0) counts.push({ count: rest, unit: next[0] })
  return counts
}

/** Of each kind of text that is kept. */
const maxTexts = 5000

const numberFormats = new Map<string, Intl.NumberFormat>()

const countTexts = new Map<string, string>()

/** Formatters are cached: creating one costs a hundred times its use. So are texts: a page has the same one often. */
function countText({ count, unit }: { count: number; unit: Unit | 'month' | 'week' }): string {
  const key = `${i18n.locale} ${unit}`
  const known = countTexts.get(`${key} ${count}`)
  if (known !== undefined) return known
  const format =
    numberFormats.get(key) ?? new Intl.NumberFormat(i18n.locale, { style: 'unit', unit, unitDisplay: 'long' })
  numberFormats.set(key, format)
  const text = format.format(count)
  if (countTexts.size >= maxTexts) countTexts.clear()
  countTexts.set(`${key} ${count}`, text)
  return text
}

function lengthText(seconds: number, largest: Unit = 'year'): string {
  const [larger = '', smaller] = parts(seconds, largest).map(countText)
  return smaller === undefined ? larger : t`${larger} ${smaller}`
}

/** Larger counts of a unit are not readable. */
const maxCount = 999

/**
 * A duration in the largest unit that divides it evenly, as it is entered: `1 month`, `2 weeks`, `45 days`; 0 or null
 * is a lifetime.
 */
export function writtenLengthText(seconds: number | null): string {
  if (!seconds) return t`Lifetime`
  const found = writtenUnits.find(([, size]) => seconds % size === 0) ?? units[0]
  const count = seconds / found[1]
  return count > maxCount ? lengthText(seconds) : countText({ count, unit: found[0] })
}

/** A duration for reading: `30 days`, `1 year 30 days`, `1 hour 30 minutes`; 0 or null is a lifetime. */
export const durationText = (seconds: number | null): string => (seconds ? lengthText(seconds) : t`Lifetime`)

export interface Present {
  now: number
  timeZone: string
}

export interface TimeText {
  relative: string
  absolute: string
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()

const dayAndMonth = { month: 'short', day: 'numeric' } as const

const dateShapes = {
  month: { month: 'short', year: 'numeric' },
  day: dayAndMonth,
  dayOfYear: { ...dayAndMonth, year: 'numeric' },
  moment: dayAndMonth,
  momentOfYear: { ...dayAndMonth, year: 'numeric' },
  clock: {},
  short: { dateStyle: 'medium', timeStyle: 'short' },
  precise: { dateStyle: 'medium', timeStyle: 'medium' },
  zoned: { ...dayAndMonth, year: 'numeric', timeZoneName: 'shortOffset' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const withClock = new Set<keyof typeof dateShapes>(['moment', 'momentOfYear', 'clock', 'zoned'])

function dateText(at: number, timeZone: string, shape: keyof typeof dateShapes): string {
  const key = `${i18n.locale} ${timeZone} ${shape}`
  const clock = withClock.has(shape) ? clockTime(i18n.locale) : {}
  const options = { ...dateShapes[shape], ...clock, timeZone }
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(i18n.locale, options)
  dateFormats.set(key, format)
  return format.format(at * 1000)
}

const stampFormats = new Map<string, Intl.DateTimeFormat>()

/** In no time zone of today, a day begins within one. */
const quarterHour = 900
const stamps = new Map<string, string>()

/** The calendar day in the time zone, as `2026-12-21`. Cached, because each visible time asks every second. */
export function dayStamp(at: number, timeZone: string): string {
  const key = `${Math.floor(at / quarterHour)} ${timeZone}`
  const known = stamps.get(key)
  if (known !== undefined) return known
  const format =
    stampFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
  stampFormats.set(timeZone, format)
  const [month = '', date = '', year = ''] = format.format(at * 1000).split('/')
  const stamp = `${year.padStart(4, '0')}-${month}-${date}`
  if (stamps.size >= maxTexts) stamps.clear()
  stamps.set(key, stamp)
  return stamp
}

/** Number of midnights in the time zone between two times. */
export function calendarDays(from: number, to: number, timeZone: string): number {
  const [first, last] = [from, to].map((at) => Date.parse(dayStamp(at, timeZone)) / 1000 / day)
  return (last as number) - (first as number)
}

/** `Dec 21`, with the year unless it is the current one. */
function dayText(at: number, { now, timeZone }: Present): string {
  return dateText(at, timeZone, isSameYear(at, now, timeZone) ? 'day' : 'dayOfYear')
}

const isSameYear = (one: number, other: number, timeZone: string) =>
  dayStamp(one, timeZone).slice(0, 4) === dayStamp(other, timeZone).slice(0, 4)

/** Time of day, with the date unless it is today. */
function momentText(at: number, { now, timeZone }: Present): string {
  if (dayStamp(at, timeZone) === dayStamp(now, timeZone)) return dateText(at, timeZone, 'clock')
  return dateText(at, timeZone, isSameYear(at, now, timeZone) ? 'moment' : 'momentOfYear')
}

/** `Dec 21, 2026, 2:05 PM`. */
export const dateTimeText = (at: number, timeZone: string): string => dateText(at, timeZone, 'short')

/** `Dec 21, 2026, 2:05:09 PM`. */
export const preciseTimeText = (at: number, timeZone: string): string => dateText(at, timeZone, 'precise')

/** `Dec 21, 2026, 2:05 PM GMT−3`: includes the time zone, with a minus sign that does not break the line. */
export const zonedTimeText = (at: number, timeZone: string): string =>
  dateText(at, timeZone, 'zoned').replace('GMT-', 'GMT−')

/** `Dec 2026`. */
export const monthText = (at: number, timeZone: string): string => dateText(at, timeZone, 'month')

/**
 * Remaining time in seconds: whole calendar days from two days on; below that, rounded up to the displayed hour or
 * minute, so that a new key shows its full duration.
 */
export function roundedTimeLeft(until: number, { now, timeZone }: Present): number {
  const left = until - now
  const days = calendarDays(now, until, timeZone)
  if (days >= 2) return days * day
  // "2 days" would refer to the day after the end.
  if (days === 1 && left > day) return Math.min(Math.ceil(left / hour) * hour, 2 * day - hour)
  return Math.ceil(left / minute) * minute
}

/** Remaining time until a future time: `30 days left`, `Dec 21`; with the time of day from the day before on. */
export function timeLeftText(until: number, present: Present): TimeText {
  const days = calendarDays(present.now, until, present.timeZone)
  return {
    relative: lengthLeftText(roundedTimeLeft(until, present), days === 0 ? 'hour' : 'year'),
    absolute: days >= 2 ? dayText(until, present) : momentText(until, present),
  }
}

/** `30 days left`, for time that is paused and has no end date. */
export function lengthLeftText(seconds: number, largest: Unit = 'year'): string {
  const length = lengthText(seconds, largest)
  const counts = parts(seconds, largest)
  const count = counts.length > 1 ? 2 : (counts[0]?.count ?? 0)
  return plural(count, { one: `${length} left`, other: `${length} left` })
}

/** Time since a past time: `3 days ago`, `Nov 18`; with the time of day on the same day and the following night. */
export function timeAgoText(at: number, present: Present): TimeText {
  const passed = present.now - at
  const days = calendarDays(at, present.now, present.timeZone)
  // The server's clock may be slightly ahead of this one; times further ahead are not in the past.
  if (passed <= -minute) return { relative: '', absolute: dateTimeText(at, present.timeZone) }
  if (passed < minute) return { relative: t`now`, absolute: momentText(at, present) }
  const isNamedInDays = passed >= day && days > 0
  const size = passed < hour ? minute : hour
  const length = isNamedInDays ? lengthText(days * day) : lengthText(passed - (passed % size), 'hour')
  return {
    relative: t`${length} ago`,
    absolute: isNamedInDays ? dayText(at, present) : momentText(at, present),
  }
}

/** `30 days left · Dec 21`; after the end, when it ended. */
export function endText(until: number, present: Present): TimeText {
  if (until > present.now) return timeLeftText(until, present)
  const { relative: ago, absolute } = timeAgoText(until, present)
  return { relative: t`expired ${ago}`, absolute }
}
