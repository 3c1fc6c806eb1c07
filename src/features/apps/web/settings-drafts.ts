import type { FormDraft } from '#web/form/field-changes.ts'
import type { SettingsForm } from './settings-form.ts'

type SettingsDraft = FormDraft<SettingsForm, SettingsForm>

/**
 * Unsaved edits by app. Stored outside the page because selecting another app in the sidebar remounts it; the edits are
 * restored when the app is selected again.
 */
const drafts = new Map<string, SettingsDraft>()

export const settingsDraft = (appId: string): SettingsDraft => drafts.get(appId) ?? { edits: {}, before: {} }

export const storeSettingsDraft = (appId: string, draft: SettingsDraft): void => void drafts.set(appId, draft)

export const dropSettingsDraft = (appId: string): void => void drafts.delete(appId)
