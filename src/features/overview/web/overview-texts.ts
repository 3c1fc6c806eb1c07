import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { changeText } from '#web/charts/percent.ts'
import { rangeText, type TimeSpan } from '#web/charts/span-text.ts'
import type { OverviewDays } from '../overview.rules.ts'
import type { ShownPeriod } from './overview-data.ts'

export const daysText = (days: OverviewDays): string =>
  days === 1 ? t`24 hours` : plural(days, { one: '# day', other: '# days' })

/** `7 days`, or `Nov 18 – 20`. */
export const periodText = ({ days, range }: ShownPeriod, isHourly: boolean, timeZone: string): string =>
  range ? rangeText(range, isHourly, timeZone) : daysText(days)

/** The first and the last second of the points. */
export const spanOf = (points: readonly TimeSpan[]): TimeSpan => ({
  from: points[0]?.from ?? 0,
  to: points.at(-1)?.to ?? 0,
})

interface Length {
  points: readonly unknown[]
  hourly: boolean
}

/** Name of the period before, for the legend and the columns of tables. */
export const previousText = ({ points, hourly }: Length): string =>
  hourly
    ? plural(points.length, { one: 'The hour before', other: 'The # hours before' })
    : plural(points.length, { one: 'The day before', other: 'The # days before' })

/** Name of this period, for the legend. */
export const currentText = ({ points, hourly }: Length): string =>
  hourly
    ? plural(points.length, { one: 'This hour', other: 'These # hours' })
    : plural(points.length, { one: 'This day', other: 'These # days' })

/** `8% more than in the 30 days before`. */
export function comparisonText(count: number, before: number, { points, hourly }: Length): string {
  const length = points.length
  if (before === 0 && count === 0) return ''
  if (before === 0) {
    return hourly
      ? plural(length, { one: 'none in the hour before', other: 'none in the # hours before' })
      : plural(length, { one: 'none in the day before', other: 'none in the # days before' })
  }
  if (before === count) {
    return hourly
      ? plural(length, { one: 'as many as in the hour before', other: 'as many as in the # hours before' })
      : plural(length, { one: 'as many as in the day before', other: 'as many as in the # days before' })
  }
  const change = changeText(count, before, i18n.locale)
  if (count > before) {
    return hourly
      ? plural(length, {
          one: `${change} more than in the hour before`,
          other: `${change} more than in the # hours before`,
        })
      : plural(length, {
          one: `${change} more than in the day before`,
          other: `${change} more than in the # days before`,
        })
  }
  return hourly
    ? plural(length, {
        one: `${change} fewer than in the hour before`,
        other: `${change} fewer than in the # hours before`,
      })
    : plural(length, {
        one: `${change} fewer than in the day before`,
        other: `${change} fewer than in the # days before`,
      })
}
