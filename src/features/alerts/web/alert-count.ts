import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'

const pollMs = 30_000

/** How many alerts of the selected app are new: the sidebar shows it on every page. */
export const alertCountQuery = () =>
  queryOptions({
    queryKey: appKey('alert-count'),
    queryFn: async ({ signal }) => (await call('GET /alerts/count', { signal })).count,
    // Only while somebody sees the page.
    refetchInterval: pollMs,
  })
