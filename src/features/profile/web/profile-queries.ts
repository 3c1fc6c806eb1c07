import { callQuery } from '#web/api/call-query.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { accountKey } from '#web/api/query-keys.ts'

export type PlanUsage = CallReply<'GET /profile/plan-usage'>

export const profileStatsQuery = callQuery(accountKey('profile', 'stats'), 'GET /profile/stats')

export const offeredPlansQuery = callQuery(accountKey('plans'), 'GET /plans')
