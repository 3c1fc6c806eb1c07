import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { accountKey } from '#web/api/query-keys.ts'
import type { SearchParams } from '#web/navigation/search-params.ts'

export type Needs = CallReply<'GET /admin/needs'>
export type Growth = CallReply<'GET /admin/growth'>
export type GrowthPoint = Growth['points'][number]
export type GrowthMetric = Exclude<keyof GrowthPoint, 'from' | 'to'>

const refetchInterval = 60_000

export const needsQuery = queryOptions({
  queryKey: accountKey('admin', 'needs'),
  queryFn: ({ signal }): Promise<Needs> => call('GET /admin/needs', { signal }),
  refetchInterval,
})

export const growthDays = [7, 30, 90] as const
export type GrowthDays = (typeof growthDays)[number]

/** The period in the URL; 30 days by default. */
export const daysOf = ({ days }: SearchParams): GrowthDays => growthDays.find((each) => String(each) === days) ?? 30

export const growthQuery = (days: GrowthDays, timeZone: string) =>
  queryOptions({
    queryKey: accountKey('admin', 'growth', days, timeZone),
    queryFn: ({ signal }): Promise<Growth> =>
      call('GET /admin/growth', { query: { days: String(days) as '7' | '30' | '90', timeZone }, signal }),
    refetchInterval,
  })
