import { useQuery } from '@tanstack/react-query'
import { call } from '../call.ts'
import { useSelectedApp } from '../session.ts'

/** Part 1 §9. */
const pollMs = 30_000

// @TODO Use the typed call once the alerts contract exists.
const countAlerts = call as (key: string, input: { signal: AbortSignal }) => Promise<{ count?: number }>

/** Unread alerts of the selected app; 0 while unknown. A server without alerts is asked once, not for ever. */
export function useAlertCount(): number {
  const app = useSelectedApp()
  const { data } = useQuery({
    queryKey: ['app', app?.appId, 'alert-count'],
    queryFn: async ({ signal }) => (await countAlerts('GET /alerts/count', { signal })).count ?? 0,
    enabled: app !== undefined,
    retry: false,
    refetchInterval: (query) => (query.state.status === 'error' ? false : pollMs),
  })
  return data ?? 0
}
