import { createStore } from '#web/browser/store.ts'

/** IDs of the rows whose data was asked for. Nothing is remembered beyond the page. */
export const shownDataStore = createStore<ReadonlySet<string>>(new Set())

export function toggleData(id: string): void {
  const shown = new Set(shownDataStore.get())
  if (!shown.delete(id)) shown.add(id)
  shownDataStore.set(shown)
}

export const hideAllData = (): void => shownDataStore.set(new Set())
