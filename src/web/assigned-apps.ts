import { queryOptions, useQuery } from '@tanstack/react-query'
import { selectedAppStore } from './app-selection.ts'
import { call } from './call.ts'
import type { CallReply } from './call-types.ts'
import { lostAtStore } from './connection.ts'
import { queryClient } from './query-client.ts'
import { accountKey } from './query-keys.ts'
import { type Account, selectOneOf } from './session.ts'
import { useStore } from './store.ts'

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

/** The selected app of a reseller; `undefined` when none is selected, or it was taken away. */
export function useAssignedApp(): AssignedApp | undefined {
  const selected = useStore(selectedAppStore)
  const { data } = useQuery(assignedAppsQuery)
  return data?.find(({ appId }) => appId === selected?.appId)
}

/** Epoch seconds of what is known of the credits, while it can't be refreshed. */
export function useCreditsAsOf(): number | undefined {
  const { dataUpdatedAt, isError } = useQuery(assignedAppsQuery)
  const isLost = useStore(lostAtStore) !== undefined
  return isLost || isError ? Math.floor(dataUpdatedAt / 1000) : undefined
}
