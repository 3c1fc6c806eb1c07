import { i18n } from '@lingui/core'
import { nowSeconds } from '#web/time/clock.ts'
import { clockTime } from '#web/time/clock-time.ts'
import { dayStamp } from '#web/time/time-text.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${i18n.locale} ${timeZone} ${JSON.stringify(options)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(i18n.locale, { ...options, timeZone })
  formats.set(key, known)
  return known
}

/** Omitted for the current year. */
const yearOf = (at: number, timeZone: string): Intl.DateTimeFormatOptions =>
  dayStamp(at, timeZone).slice(0, 4) === dayStamp(nowSeconds(), timeZone).slice(0, 4) ? {} : { year: 'numeric' }

/** The time of day stays in one line. */
const unbroken = (text: string) => text.replace(/[ \u202F](?=[AP]M$)/, '\u00A0')

const day = { month: 'short', day: 'numeric' } as const

/** `2:05 PM`. */
export const clockText = (at: number, timeZone: string): string =>
  unbroken(format(timeZone, clockTime(i18n.locale)).format(at * 1000))

/** `Friday, Nov 20`. */
export const dayText = (at: number, timeZone: string): string =>
  format(timeZone, { weekday: 'long', ...day, ...yearOf(at, timeZone) }).format(at * 1000)

/** `Nov 20, 2:05 PM`. */
export const momentText = (at: number, timeZone: string): string =>
  unbroken(format(timeZone, { ...day, ...clockTime(i18n.locale), ...yearOf(at, timeZone) }).format(at * 1000))
