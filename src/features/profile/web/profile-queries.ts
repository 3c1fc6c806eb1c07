import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { accountKey } from '#web/api/query-keys.ts'

export type PlanUsage = CallReply<'GET /profile/plan-usage'>

export const profileStatsQuery = queryOptions({
  queryKey: accountKey('profile', 'stats'),
  queryFn: ({ signal }) => call('GET /profile/stats', { signal }),
})

export const offeredPlansQuery = queryOptions({
  queryKey: accountKey('plans'),
  queryFn: ({ signal }) => call('GET /plans', { signal }),
})
