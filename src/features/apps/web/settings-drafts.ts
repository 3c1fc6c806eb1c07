import { createStore } from '#web/store.ts'
import type { SettingsForm } from './settings-form.ts'

/** Unsaved edits of an app. */
export interface SettingsDraft {
  edits: Partial<SettingsForm>
  /** What was saved in the edited fields when their editing began: a save is refused where that is no longer so. */
  before: Partial<SettingsForm>
}

/**
 * Drafts by app. They live outside the page because choosing another app in the sidebar remounts it: the edits are
 * there again on the way back.
 */
export const settingsDraftsStore = createStore<Readonly<Record<string, SettingsDraft>>>({})

const none: SettingsDraft = { edits: {}, before: {} }

export const settingsDraft = (appId: string): SettingsDraft => settingsDraftsStore.get()[appId] ?? none

export function storeSettingsDraft(appId: string, draft: SettingsDraft) {
  const { [appId]: _, ...others } = settingsDraftsStore.get()
  settingsDraftsStore.set(Object.keys(draft.edits).length > 0 ? { ...others, [appId]: draft } : others)
}

export const dropSettingsDraft = (appId: string) => storeSettingsDraft(appId, none)
