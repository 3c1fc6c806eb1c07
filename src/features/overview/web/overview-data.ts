import { queryOptions } from '@tanstack/react-query'
import type { CallReply } from '#web/api/call-types.ts'
import { call } from '#web/api/call.ts'
import { callQuery } from '#web/api/call-query.ts'
import { appKey } from '#web/api/query-keys.ts'
import type { TimeSpan } from '#web/charts/span-text.ts'
import type { SearchParams } from '#web/navigation/search-params.ts'
import { nowSeconds } from '#web/time/clock.ts'
import { isChoosable, type OverviewDays, overviewDays } from '../overview.rules.ts'

/** What the page shows: the last days, or a range chosen within them. */
export interface ShownPeriod {
  days: OverviewDays
  /** Epoch seconds, on full hours. */
  range: TimeSpan | undefined
}

/** The numbers with their period. */
export type Overview = CallReply<'GET /overview'> & ShownPeriod
export type OverviewPoint = Overview['points'][number]
export type AttentionReply = CallReply<'GET /overview/attention'>

const standardDays: OverviewDays = 7

const hour = /^2\d{3}-\d\d-\d\dT\d\d:00Z$/

const readHour = (text: string | undefined): number =>
  text !== undefined && hour.test(text) ? Date.parse(text) / 1000 : Number.NaN

/** The period in the URL; what is invalid, or too long ago by now, counts as not there. */
export function periodOf({ days, from, to }: SearchParams): ShownPeriod {
  const range = { from: readHour(from), to: readHour(to) }
  return {
    days: overviewDays.find((each) => String(each) === days) ?? standardDays,
    range: isChoosable(range, nowSeconds()) ? range : undefined,
  }
}

const hourText = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 13)}:00Z`

/** A range as it is in the URL: `2026-11-03T14:00Z`, the same in every time zone. */
export const rangeParams = (range: TimeSpan | undefined): { from: string | undefined; to: string | undefined } => ({
  from: range && hourText(range.from),
  to: range && hourText(range.to),
})

export const isSamePeriod = (one: ShownPeriod, other: ShownPeriod): boolean =>
  one.days === other.days && one.range?.from === other.range?.from && one.range?.to === other.range?.to

export const overviewQuery = ({ days, range }: ShownPeriod, timeZone: string) =>
  queryOptions({
    queryKey: appKey('overview', days, range?.from, range?.to, timeZone),
    queryFn: async ({ signal }): Promise<Overview> => {
      const query = { days: String(days) as `${OverviewDays}`, timeZone, ...range }
      return { ...(await call('GET /overview', { query, signal })), days, range }
    },
  })

export const attentionQuery = () => callQuery(appKey('overview', 'attention'), 'GET /overview/attention')

/** What every plan includes of the overview: how many licenses and users the app has. */
export const countsQuery = () =>
  queryOptions({
    queryKey: appKey('overview', 'counts'),
    queryFn: async ({ signal }) => {
      const [licenses, users] = await Promise.all([
        call('GET /licenses', { query: { limit: 1 }, signal }),
        call('GET /users', { query: { limit: 1 }, signal }),
      ])
      return { licenses: licenses.counts, users: users.counts }
    },
  })

/** Whether there is no activity to show in any chart. */
export const isEmpty = ({ points, expiring, range }: Overview): boolean =>
  range === undefined &&
  expiring.every(({ licenses }) => licenses === 0) &&
  points.every(
    ({ signIns, rejected, activations, newUsers, activeUsers }) =>
      signIns + rejected + activations + newUsers + activeUsers === 0,
  )
