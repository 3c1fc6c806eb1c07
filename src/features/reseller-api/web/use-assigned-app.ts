import { useQuery } from '@tanstack/react-query'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { type AssignedApp, assignedAppsQuery } from './assigned-apps.ts'
import { lostAtStore } from '#web/api/connection.ts'
import { useStore } from '#web/browser/store.ts'

/** The reseller's selected app; `undefined` if none is selected or it is no longer assigned. */
export function useAssignedApp(): AssignedApp | undefined {
  const selected = useStore(selectedAppStore)
  const { data } = useQuery(assignedAppsQuery)
  return data?.find(({ appId }) => appId === selected?.appId)
}

/** Time of the last successful refresh of the credits, epoch seconds; undefined unless refreshing fails. */
export function useCreditsAsOf(): number | undefined {
  const { dataUpdatedAt, isError } = useQuery(assignedAppsQuery)
  const isLost = useStore(lostAtStore) !== undefined
  return isLost || isError ? Math.floor(dataUpdatedAt / 1000) : undefined
}
