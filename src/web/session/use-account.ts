import { useQuery } from '@tanstack/react-query'
import { selectedAppStore } from '../api/app-selection.ts'
import { type Account, type App, appsQuery, sessionQuery } from './session.ts'
import { useStore } from '../browser/store.ts'

/** The signed-in account; only for components inside a guarded area. */
export function useAccount(): Account {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('No signed-in account: this component belongs inside a guarded area')
  return data
}

/** The selected app with its loaded data; `undefined` if none is selected. */
export function useSelectedApp(): App | undefined {
  const selected = useStore(selectedAppStore)
  const { data } = useQuery({ ...appsQuery, enabled: selected !== undefined })
  return data?.find(({ appId }) => appId === selected?.appId)
}
