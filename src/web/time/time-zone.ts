import { isTimeZone } from '#contract/time-zone.ts'
import { queryClient } from '../api/query-client.ts'
import { type Account, sessionQuery } from '../session/session.ts'
import { createStore, useStore } from '../browser/store.ts'

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The account's choice; the browser's own zone without one, or where this browser doesn't know it. */
function shownTimeZone(): string {
  const chosen = queryClient.getQueryData<Account | null>(sessionQuery.queryKey)?.timeZone
  return chosen && isTimeZone(chosen) ? chosen : browserTimeZone()
}

const timeZoneStore = createStore(shownTimeZone())
const [sessionKey] = sessionQuery.queryKey
queryClient.getQueryCache().subscribe(({ query }) => {
  if (query.queryKey[0] === sessionKey) timeZoneStore.set(shownTimeZone())
})

/** The zone in which every time of the dashboard is shown. */
export const currentTimeZone = (): string => timeZoneStore.get()
export const useTimeZone = (): string => useStore(timeZoneStore)
