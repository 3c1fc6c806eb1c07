import { useQuery } from '@tanstack/react-query'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { type AssignedApp, assignedAppsQuery } from './assigned-apps.ts'
import { lostAtStore } from '#web/api/connection.ts'
import { useStore } from '#web/browser/store.ts'

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
