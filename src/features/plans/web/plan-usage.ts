import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'

/** What the account uses of its plan: for the profile and for the sidebar of every page. */
export const planUsageQuery = queryOptions({
  queryKey: accountKey('profile', 'plan-usage'),
  queryFn: ({ signal }) => call('GET /profile/plan-usage', { signal }),
})

/** After every act that makes or deletes what a plan counts and a sidebar shows. */
export const refreshPlanUsage = () => queryClient.invalidateQueries(planUsageQuery)
