import { callQuery } from '#web/api/call-query.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'

/** Plan usage of the account, for the profile and the sidebar of every page. */
export const planUsageQuery = callQuery(accountKey('profile', 'plan-usage'), 'GET /profile/plan-usage')

/** Call after every action that creates or deletes something that the plan limits and the sidebar shows. */
export const refreshPlanUsage = () => queryClient.invalidateQueries(planUsageQuery)
