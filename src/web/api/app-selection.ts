import { createStore } from '../browser/store.ts'
import { readStored, writeStored } from '../browser/stored.ts'

export interface SelectedApp {
  appId: string
  appName: string
}

/** What every screen shows as an app's version. */
export const appVersion = (app: { version?: string; settings?: { version?: string } } | undefined): string =>
  app?.version || app?.settings?.version || '1.0.0'

/** The app this tab works on. Every call carries its id, so a second tab can't redirect the first one's calls. */
export const selectedAppStore = createStore<SelectedApp | undefined>(undefined)

const storageKey = 'selected-app'

/** Remembered per user: another user's choice is forgotten. */
export function recallSelectedApp(ownerId: string) {
  const [owner, appId, appName] = readStored(storageKey)?.split('\n') ?? []
  if (owner !== ownerId || !appId || !appName) {
    if (owner !== ownerId) clearSelectedApp()
    return
  }
  if (selectedAppStore.get()?.appId !== appId) selectedAppStore.set({ appId, appName })
}

export function rememberSelectedApp(ownerId: string, app: SelectedApp) {
  const current = selectedAppStore.get()
  writeStored(storageKey, [ownerId, app.appId, app.appName].join('\n'))
  if (current?.appId !== app.appId || current.appName !== app.appName) {
    selectedAppStore.set({ appId: app.appId, appName: app.appName })
  }
}

export function clearSelectedApp() {
  writeStored(storageKey, undefined)
  selectedAppStore.set(undefined)
}

/** Deselects an app that is gone. Another app that a second tab has selected meanwhile stays remembered. */
export function forgetApp(appId: string) {
  if (readStored(storageKey)?.split('\n')[1] === appId) writeStored(storageKey, undefined)
  if (selectedAppStore.get()?.appId === appId) selectedAppStore.set(undefined)
}
