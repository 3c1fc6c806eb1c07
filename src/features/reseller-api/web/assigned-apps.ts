import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { queryClient } from '#web/api/query-client.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { type Account, selectOneOf } from '#web/session/session.ts'

// Route guards load this with the first page, even /login, so the hooks are in use-assigned-app.ts.

export type AssignedApp = CallReply<'GET /reseller/apps'>['apps'][number]

/** Maximum age of the credits on an idle screen: the owner can change them at any time. */
const refreshMs = 30_000

/** A reseller's apps with credits, plans and levels; the single source for the reseller area. */
export const assignedAppsQuery = queryOptions({
  queryKey: accountKey('assigned-apps'),
  queryFn: async ({ signal }) => (await call('GET /reseller/apps', { signal })).apps,
  refetchInterval: refreshMs,
})

/** Loads the apps and selects one of them: in a new browser, the one sold last. */
export async function loadAssignedApps(reseller: Account): Promise<void> {
  const apps = await queryClient.ensureQueryData(assignedAppsQuery)
  const soldAt = ({ lastSale }: AssignedApp) => lastSale?.soldAt ?? 0
  selectOneOf(
    reseller.id,
    apps.toSorted((one, other) => soldAt(other) - soldAt(one)),
  )
}
