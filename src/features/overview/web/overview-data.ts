import { queryOptions } from '@tanstack/react-query'
import type { CallReply } from '#web/api/call-types.ts'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { type OverviewDays, overviewDays } from '../overview.rules.ts'

/** The numbers with the length of their period. */
export type Overview = CallReply<'GET /overview'> & { days: OverviewDays }

const standardDays: OverviewDays = 7

/** The period in the URL; the default if invalid. */
export const daysOf = (text: string | undefined): OverviewDays =>
  overviewDays.find((days) => String(days) === text) ?? standardDays

export const overviewQuery = (days: OverviewDays, timeZone: string) =>
  queryOptions({
    queryKey: appKey('overview', days, timeZone),
    queryFn: async ({ signal }): Promise<Overview> => {
      const query = { days: String(days) as `${OverviewDays}`, timeZone }
      return { ...(await call('GET /overview', { query, signal })), days }
    },
  })

/** Data for the first steps on plans without the overview. */
export const madeQuery = () =>
  queryOptions({
    queryKey: appKey('overview', 'made'),
    queryFn: async ({ signal }): Promise<Pick<Overview, 'levels' | 'licenses'>> => {
      const { subscriptions } = await call('GET /subscriptions', { signal })
      const { total } = await call('GET /licenses', { query: { limit: 1 }, signal })
      return { levels: subscriptions.length, licenses: total }
    },
  })

/** Whether there is no activity to show in any chart. */
export const isEmpty = ({ points, expiring }: Overview): boolean =>
  expiring.every(({ licenses }) => licenses === 0) &&
  points.every(
    ({ signIns, rejected, activations, newUsers, activeUsers }) =>
      signIns + rejected + activations + newUsers + activeUsers === 0,
  )
