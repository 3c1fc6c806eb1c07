import { t } from '@lingui/core/macro'
import type { TimeSpan } from '#web/charts/span-text.ts'
import { paths } from '#web/navigation/paths.ts'
import { timeRangeParam } from '#web/time/time-range.ts'
import { dayStamp } from '#web/time/time-text.ts'

/** A list with a filter. */
export interface ListAddress {
  to: string
  search: Record<string, string>
}

/** The days of a period, as lists take them. */
function daysParam({ from, to }: TimeSpan, timeZone: string): Record<string, string> {
  const [first, last] = [dayStamp(from, timeZone), dayStamp(to - 1, timeZone)]
  return { 'f.days': timeRangeParam({ from: first, until: last }) }
}

export interface LogDays {
  period: TimeSpan
  timeZone: string
}

/** Rejected calls of a period, for one reason or for all. */
export const rejectionsAddress = ({ period, timeZone }: LogDays, code?: string): ListAddress => ({
  to: paths.logs(),
  search: { ...(code && { q: code }), 'f.result': 'refused', ...daysParam(period, timeZone) },
})

/** Sign-ins of a period: the log finds calls by their text in the reader's language. */
export const signInsAddress = ({ period, timeZone }: LogDays): ListAddress => ({
  to: paths.logs(),
  search: {
    q: t({ message: 'Signed in', context: 'event' }),
    'f.result': 'allowed',
    ...daysParam(period, timeZone),
  },
})

export const whyAddress = (customer: string): ListAddress => ({ to: paths.why(), search: { q: customer } })

export const licensesAddress = (status: 'used' | 'expiring'): ListAddress => ({
  to: paths.licenses(),
  search: { 'f.status': status },
})

export const newAlertsAddress = (): ListAddress => ({ to: paths.alerts(), search: { 'f.status': 'new' } })

/** The webhook with this ID, or all. */
export const webhooksAddress = (id: string): ListAddress => ({
  to: paths.webhooks(),
  search: id === '' ? {} : { q: id },
})

export const plansAddress = (): ListAddress => ({ to: paths.profile(), search: { dialog: 'upgrade' } })
