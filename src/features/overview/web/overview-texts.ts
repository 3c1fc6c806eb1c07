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
    ? plural(points.length, { one: 'Previous hour', other: 'Previous # hours' })
    : plural(points.length, { one: 'Previous day', other: 'Previous # days' })

/** Name of this period, for the legend. */
export const currentText = ({ points, hourly }: Length): string =>
  hourly
    ? plural(points.length, { one: 'This hour', other: 'These # hours' })
    : plural(points.length, { one: 'This day', other: 'These # days' })

/** `up 8% from the previous 30 days`. */
export function comparisonText(count: number, before: number, { points, hourly }: Length): string {
  const length = points.length
  if (before === 0 && count === 0) return ''
  if (before === 0) {
    return hourly
      ? plural(length, { one: 'none in the previous hour', other: 'none in the previous # hours' })
      : plural(length, { one: 'none in the previous day', other: 'none in the previous # days' })
  }
  if (before === count) {
    return hourly
      ? plural(length, { one: 'the same as the previous hour', other: 'the same as the previous # hours' })
      : plural(length, { one: 'the same as the previous day', other: 'the same as the previous # days' })
  }
  const change = changeText(count, before, i18n.locale)
  if (count > before) {
    return hourly
      ? plural(length, {
          one: `up ${change} from the previous hour`,
          other: `up ${change} from the previous # hours`,
        })
      : plural(length, {
          one: `up ${change} from the previous day`,
          other: `up ${change} from the previous # days`,
        })
  }
  return hourly
    ? plural(length, {
        one: `down ${change} from the previous hour`,
        other: `down ${change} from the previous # hours`,
      })
    : plural(length, {
        one: `down ${change} from the previous day`,
        other: `down ${change} from the previous # days`,
      })
}
