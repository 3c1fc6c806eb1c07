import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'

const pollMs = 30_000

/** Number of new alerts of the selected app, shown in the sidebar on every page. */
export const alertCountQuery = () =>
  queryOptions({
    queryKey: appKey('alert-count'),
    queryFn: async ({ signal }) => (await call('GET /alerts/count', { signal })).count,
    // Only while the page is visible.
    refetchInterval: pollMs,
  })
