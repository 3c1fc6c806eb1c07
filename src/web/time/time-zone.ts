import { isTimeZone } from '#contract/time-zone.ts'
import { queryClient } from '../api/query-client.ts'
import { type Account, sessionQuery } from '../session/session.ts'
import { createStore, useStore } from '../browser/store.ts'

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The account's time zone; that of the browser if none is set or the browser does not support it. */
function shownTimeZone(): string {
  const chosen = queryClient.getQueryData<Account | null>(sessionQuery.queryKey)?.timeZone
  return chosen && isTimeZone(chosen) ? chosen : browserTimeZone()
}

const timeZoneStore = createStore(shownTimeZone())
const [sessionKey] = sessionQuery.queryKey
queryClient.getQueryCache().subscribe(({ query }) => {
  if (query.queryKey[0] === sessionKey) timeZoneStore.set(shownTimeZone())
})

/** The time zone of all times in the dashboard. */
export const currentTimeZone = (): string => timeZoneStore.get()
export const useTimeZone = (): string => useStore(timeZoneStore)
