import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { rememberSelectedApp } from '#web/app-selection.ts'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { type App, appsQuery } from '#web/session.ts'
import { useAccount } from '#web/use-account.ts'
import { useStore } from '#web/store.ts'
import { translatedText } from './app-texts.ts'
import { dropSettingsDraft, keepSettingsDraft, settingsDraft, settingsDraftsStore } from './settings-drafts.ts'
import {
  changedFields,
  savedSettings,
  settingsBody,
  type SettingsEdits,
  type SettingsField,
  type SettingsForm,
  settingsProblems,
} from './settings-form.ts'

/** The settings as edited: saved values with the edits over them, so that a refresh never takes an edit away. */
export function useSettingsForm(app: App) {
  const { appId } = app
  useStore(settingsDraftsStore)
  const edits = settingsDraft(appId)
  const saved = savedSettings(app)
  const values: SettingsForm = { ...saved, ...edits }
  const changed = changedFields(saved, edits)
  const [submitted, setSubmitted] = useState(false)
  const account = useAccount()
  const queryClient = useQueryClient()

  const update = useMutation({
    mutationFn: (sent: SettingsEdits) => call('POST /update_app', { body: settingsBody(app, sent) }),
    onSuccess: async (reply, sent) => {
      // An answer that was asked for before would bring the old values back.
      await queryClient.cancelQueries(appsQuery)
      queryClient.setQueryData(appsQuery.queryKey, (apps) =>
        apps?.map((each) => (each.appId === appId ? reply.app : each)),
      )
      rememberSelectedApp(account.ownerid, reply.app)
      // What was typed while the call ran stays an edit.
      const later = Object.entries(settingsDraft(appId)).filter(
        ([field, value]) => sent[field as SettingsField] !== value,
      )
      keepSettingsDraft(appId, Object.fromEntries(later))
      setSubmitted(false)
      notify.success(t`Settings saved successfully!`)
    },
    onError: (error) => void notify.error(translatedText(failureText(error, t`Error: Failed to save settings`))),
  })

  const save = () => {
    if (update.isPending) return
    const [first] = Object.keys(settingsProblems(values))
    setSubmitted(first !== undefined)
    if (first === undefined) update.mutate(edits)
    else document.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  return {
    values,
    /** Silent until the first attempt to save; from then on each problem goes as soon as it is solved. */
    problems: submitted ? settingsProblems(values) : {},
    changed,
    saving: update.isPending,
    set<F extends SettingsField>(field: F, value: SettingsForm[F]) {
      const { [field]: _, ...others } = settingsDraft(appId)
      keepSettingsDraft(appId, Object.is(saved[field], value) ? others : { ...others, [field]: value })
    },
    save,
    discard() {
      dropSettingsDraft(appId)
      setSubmitted(false)
    },
  }
}

export type SettingsState = ReturnType<typeof useSettingsForm>
