import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { settingsDraft } from './settings-drafts.ts'
import { hiddenSettings, savedSettings, settingsProblems } from './settings-form.ts'
import { onSettingsSaved, saveSettings } from './settings-undo.ts'

/** The edited settings: the edits over the stored values, so that a refetch never discards an edit. */
export function useSettingsForm(app: App) {
  const { appId } = app
  const account = useAccount()
  const queryClient = useQueryClient()
  return useSaveForm({
    start: savedSettings(app),
    isNew: false,
    draft: settingsDraft(appId),
    hidden: hiddenSettings,
    problems: settingsProblems,
    send: (request) => saveSettings(app, request),
    failure: t`Error: Failed to save settings`,
    onFailed: (text) => {
      notify.error(text)
      void queryClient.invalidateQueries(appsQuery)
    },
    onUnchanged: 'send',
    onSaved: (reply) => onSettingsSaved(reply, account.ownerid),
  })
}

export type SettingsState = ReturnType<typeof useSettingsForm>
