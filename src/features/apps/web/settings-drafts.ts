import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { notify } from '#web/browser/notify.ts'
import { draftKeys, forgetDraft, formDraft } from '#web/form/form-drafts.ts'
import type { App } from '#web/session/session.ts'
import type { SettingsForm } from './settings-form.ts'

/**
 * Unsaved edits by app: selecting another app in the sidebar remounts the page, and they are restored when the app is
 * selected again.
 */
export const settingsDraft = (appId: string) => formDraft<SettingsForm>('settings', appId)

export const dropSettingsDraft = (appId: string): void => forgetDraft(['settings', appId])

export const appsWithDrafts = (): string[] => draftKeys('settings').map(([, appId]) => String(appId))

/** Forgets what was typed for apps that somebody else has deleted, and says so: it can't be saved anymore. */
export function useDraftsOfExistingApps(apps: readonly App[] | undefined): void {
  const [known] = useState(() => new Map<string, string>())
  useEffect(() => {
    if (!apps) return
    const existing = new Set(apps.map(({ appId }) => appId))
    for (const appId of appsWithDrafts()) {
      if (existing.has(appId)) continue
      dropSettingsDraft(appId)
      const names = known.get(appId) ?? appId
      notify.warning(t`Deleted meanwhile, so what you typed is discarded: ${names}`)
    }
    for (const { appId, appName } of apps) known.set(appId, appName)
  }, [apps, known])
}
