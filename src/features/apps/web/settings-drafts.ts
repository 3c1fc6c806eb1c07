import { useEffect, useState } from 'react'
import { discardGone, draftKeys, forgetDraft, formDraft } from '#web/form/form-drafts.ts'
import type { App } from '#web/session/session.ts'
import type { SettingsForm } from './settings-form.ts'

const draftKey = (appId: string) => ['settings', appId] as const

/**
 * Unsaved edits by app: selecting another app in the sidebar remounts the page, and they are restored when the app is
 * selected again.
 */
export const settingsDraft = (appId: string) => formDraft<SettingsForm>(...draftKey(appId))

export const dropSettingsDraft = (appId: string): void => forgetDraft(draftKey(appId))

export const appsWithDrafts = (): string[] => draftKeys('settings').map(([, appId]) => String(appId))

/** Discards what was typed for apps that somebody else has deleted. */
export function useDraftsOfExistingApps(apps: readonly App[] | undefined): void {
  const [known] = useState(() => new Map<string, string>())
  useEffect(() => {
    if (!apps) return
    const existing = new Set(apps.map(({ appId }) => appId))
    for (const appId of appsWithDrafts()) {
      if (!existing.has(appId)) discardGone([draftKey(appId)], known.get(appId) ?? appId)
    }
    for (const { appId, appName } of apps) known.set(appId, appName)
  }, [apps, known])
}
