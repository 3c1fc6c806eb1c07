import { draftKeys, forgetDraft, formDraft } from '#web/form/form-drafts.ts'
import type { SettingsForm } from './settings-form.ts'

/**
 * Unsaved edits by app: selecting another app in the sidebar remounts the page, and they are restored when the app is
 * selected again.
 */
export const settingsDraft = (appId: string) => formDraft<SettingsForm>('settings', appId)

export const dropSettingsDraft = (appId: string): void => forgetDraft(['settings', appId])

export const appsWithDrafts = (): string[] => draftKeys('settings').map(([, appId]) => String(appId))
