import { createStore } from '../browser/store.ts'
import { readStored, writeStored } from '../browser/stored.ts'

export interface SelectedApp {
  appId: string
  appName: string
}

/** The version format on all screens. */
export const appVersion = (app: { version?: string; settings?: { version?: string } } | undefined): string =>
  app?.version || app?.settings?.version || '1.0.0'

/** The app selected in this tab. Every call carries its ID, so that another tab cannot redirect it. */
export const selectedAppStore = createStore<SelectedApp | undefined>(undefined)

const storageKey = 'selected-app'

/** Who has selected the app of this tab. */
let selectedBy: string | undefined

/**
 * Selects the app that was selected last, in any tab, unless this tab has one. Remembered per user: the choice of another
 * user is discarded. The browser may remember none, e.g. after another tab has deleted the app that it had selected.
 */
export function recallSelectedApp(ownerId: string) {
  const [owner, appId, appName] = readStored(storageKey)?.split('\n') ?? []
  if (owner !== ownerId) writeStored(storageKey, undefined)
  if (selectedBy !== ownerId) selectedAppStore.set(undefined)
  selectedBy = ownerId
  if (owner === ownerId && appId && appName && !selectedAppStore.get()) selectedAppStore.set({ appId, appName })
}

export function rememberSelectedApp(ownerId: string, app: SelectedApp) {
  const current = selectedAppStore.get()
  selectedBy = ownerId
  writeStored(storageKey, [ownerId, app.appId, app.appName].join('\n'))
  if (current?.appId !== app.appId || current.appName !== app.appName) {
    selectedAppStore.set({ appId: app.appId, appName: app.appName })
  }
}

export function clearSelectedApp() {
  writeStored(storageKey, undefined)
  selectedAppStore.set(undefined)
}

/** Deselects a deleted app. If another tab has selected another app meanwhile, that one stays remembered. */
export function forgetApp(appId: string) {
  if (readStored(storageKey)?.split('\n')[1] === appId) writeStored(storageKey, undefined)
  if (selectedAppStore.get()?.appId === appId) selectedAppStore.set(undefined)
}
