import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'

/** Plan usage of the account, for the profile and the sidebar of every page. */
export const planUsageQuery = queryOptions({
  queryKey: accountKey('profile', 'plan-usage'),
  queryFn: ({ signal }) => call('GET /profile/plan-usage', { signal }),
})

/** Call after every action that creates or deletes something that the plan limits and the sidebar shows. */
export const refreshPlanUsage = () => queryClient.invalidateQueries(planUsageQuery)
