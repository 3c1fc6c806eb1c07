import { i18n } from '@lingui/core'
import { clockTime } from '../time/clock-time.ts'

/** The time span of a chart point; epoch seconds. */
export interface TimeSpan {
  from: number
  to: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${i18n.locale} ${timeZone} ${JSON.stringify(options)}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat(i18n.locale, { ...options, timeZone })
  formats.set(key, made)
  return made
}

/** The day that most of the span belongs to: a day rounded to whole hours may begin on the previous day. */
const middle = ({ from, to }: TimeSpan): number => ((from + to) / 2) * 1000

const isShort = ({ from, to }: TimeSpan): boolean => to - from < 3600
/** A day can have 25 hours, and be rounded to whole ones. */
const areDays = ({ from, to }: TimeSpan): boolean => to - from > 26 * 3600

/** Minutes since midnight in the zone. */
export function minuteOfDay(at: number, timeZone: string): number {
  const parts = format(timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(at * 1000)
  const [hour = 0, minute = 0] = ['hour', 'minute'].map((name) =>
    Number(parts.find(({ type }) => type === name)?.value),
  )
  return hour * 60 + minute
}

/** Axis label: `Nov 18`, also for the first hour of that day; `2 PM`, `2:05 PM`. */
export const spanTick = (span: TimeSpan, isHourly: boolean, timeZone: string): string =>
  isHourly && minuteOfDay(span.from, timeZone) > 0
    ? format(timeZone, isShort(span) ? clockTime(i18n.locale) : { hour: 'numeric' }).format(span.from * 1000)
    : format(timeZone, { month: 'short', day: 'numeric' }).format(isHourly ? span.from * 1000 : middle(span))

/** Full label: `Wed, Nov 18`, `Nov 18 – 20`, `Wed, Nov 18, 2:00 – 3:00 PM`. */
export const spanText = (span: TimeSpan, isHourly: boolean, timeZone: string): string =>
  isHourly
    ? format(timeZone, {
        weekday: 'short',
        month: 'short',
        day: 'numeric',
        ...clockTime(i18n.locale),
      }).formatRange(span.from * 1000, span.to * 1000)
    : areDays(span)
      ? rangeText(span, false, timeZone)
      : format(timeZone, { weekday: 'short', month: 'short', day: 'numeric' }).format(middle(span))

/** Several days or hours: `Nov 18 – 20`, `Wed, Nov 18, 2:00 – 6:00 PM`. */
export const rangeText = ({ from, to }: TimeSpan, isHourly: boolean, timeZone: string): string =>
  isHourly
    ? format(timeZone, { month: 'short', day: 'numeric', ...clockTime(i18n.locale) }).formatRange(
        from * 1000,
        to * 1000,
      )
    : // Days rounded to whole hours may begin or end on a neighboring day.
      format(timeZone, { month: 'short', day: 'numeric' }).formatRange((from + 3600) * 1000, (to - 3600) * 1000)
