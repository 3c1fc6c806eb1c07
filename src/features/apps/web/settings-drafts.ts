import { createStore } from '#web/store.ts'
import type { SettingsEdits } from './settings-form.ts'

/**
 * Unsaved edits by app. They live outside the page because choosing another app in the sidebar remounts it: the
 * edits are there again on the way back.
 */
export const settingsDraftsStore = createStore<Readonly<Record<string, SettingsEdits>>>({})

const none: SettingsEdits = {}

export const settingsDraft = (appId: string): SettingsEdits => settingsDraftsStore.get()[appId] ?? none

export function keepSettingsDraft(appId: string, edits: SettingsEdits) {
  const { [appId]: _, ...others } = settingsDraftsStore.get()
  settingsDraftsStore.set(Object.keys(edits).length > 0 ? { ...others, [appId]: edits } : others)
}

export const dropSettingsDraft = (appId: string) => keepSettingsDraft(appId, none)
