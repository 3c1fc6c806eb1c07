import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { rememberSelectedApp } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { setAppEnabled } from './apps-data.ts'
import { settingsDraft, storeSettingsDraft } from './settings-drafts.ts'
import { hiddenSettings, savedSettings, settingsBody, settingsProblems } from './settings-form.ts'

/** The edited settings: the edits over the stored values, so that a refetch never discards an edit. */
export function useSettingsForm(app: App) {
  const { appId } = app
  const account = useAccount()
  const queryClient = useQueryClient()
  return useSaveForm({
    start: savedSettings(app),
    isNew: false,
    draft: { get: () => settingsDraft(appId), set: (draft) => storeSettingsDraft(appId, draft) },
    hidden: hiddenSettings,
    problems: settingsProblems,
    send: (request) => call('POST /update_app', { appId, body: settingsBody(app, request) }),
    failure: t`Error: Failed to save settings`,
    onFailed: (text) => {
      notify.error(text)
      void queryClient.invalidateQueries(appsQuery)
    },
    onUnchanged: 'send',
    onSaved: async (reply) => {
      const isDisabled = app.settings.appStatus && !reply.app.settings.appStatus
      if (isDisabled) notifyUndoable(successText(reply), () => void setAppEnabled(reply.app, true))
      else notify.success(successText(reply))
      // A pending refetch would restore the old values.
      await queryClient.cancelQueries(appsQuery)
      queryClient.setQueryData(appsQuery.queryKey, (apps) =>
        apps?.map((each) => (each.appId === appId ? reply.app : each)),
      )
      rememberSelectedApp(account.ownerid, reply.app)
    },
  })
}

export type SettingsState = ReturnType<typeof useSettingsForm>
