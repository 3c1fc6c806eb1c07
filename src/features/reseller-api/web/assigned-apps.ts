import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { type Account, selectOneOf } from '#web/session/session.ts'

// The guards load this with the first page, /login too: its hooks stand in use-assigned-app.ts.

export type AssignedApp = CallReply<'GET /reseller/apps'>['apps'][number]

/** How old the credits on the screen may get while nothing is done: the owner may change them at any time. */
const refreshMs = 30_000

/** The apps of a reseller with their credits, plans and levels: all that the area shows of them is taken from here. */
export const assignedAppsQuery = queryOptions({
  queryKey: accountKey('assigned-apps'),
  queryFn: async ({ signal }) => (await call('GET /reseller/apps', { signal })).apps,
  refetchInterval: refreshMs,
})

/** One of them is selected. */
export async function loadAssignedApps(reseller: Account): Promise<void> {
  selectOneOf(reseller.id, await queryClient.ensureQueryData(assignedAppsQuery))
}
