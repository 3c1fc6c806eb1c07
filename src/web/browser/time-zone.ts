import { isTimeZone } from '#contract/time-zone.ts'
import { createStore, useStore } from './store.ts'

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const timeZoneStore = createStore(browserTimeZone())

/** Shows all times in the account's time zone, or in the browser's if none is set or the browser doesn't support it. */
export function showTimeZone(chosen: string | null | undefined): void {
  timeZoneStore.set(chosen && isTimeZone(chosen) ? chosen : browserTimeZone())
}

/** The time zone of all times in the dashboard. */
export const currentTimeZone = (): string => timeZoneStore.get()
export const useTimeZone = (): string => useStore(timeZoneStore)
