import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { rememberSelectedApp } from '#web/app-selection.ts'
import { call } from '#web/call.ts'
import { CallFailed } from '#web/call-failed.ts'
import { failureText, successText } from '#web/errors.ts'
import { pickFields } from '#web/form/field-changes.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { notify } from '#web/notify.ts'
import { type App, appsQuery } from '#web/session.ts'
import { useAccount } from '#web/use-account.ts'
import { useStore } from '#web/store.ts'
import {
  dropSettingsDraft,
  type SettingsDraft,
  settingsDraft,
  settingsDraftsStore,
  storeSettingsDraft,
} from './settings-drafts.ts'
import {
  changedSettings,
  conflictingSettings,
  savedSettings,
  settingsBody,
  type SettingsField,
  type SettingsForm,
  settingsProblems,
} from './settings-form.ts'

/** The settings as edited: saved values with the edits over them, so that a refresh never takes an edit away. */
export function useSettingsForm(app: App) {
  const { appId } = app
  useStore(settingsDraftsStore)
  const draft = settingsDraft(appId)
  const saved = savedSettings(app)
  const values: SettingsForm = { ...saved, ...draft.edits }
  const conflicts = conflictingSettings(saved, draft)
  const [submitted, setSubmitted] = useState(false)
  const problems = submitted ? settingsProblems(values) : {}
  const problemText = useProblemText()
  const account = useAccount()
  const queryClient = useQueryClient()
  const [wantsChoice, setWantsChoice] = useState(false)
  const askForChoice = () => {
    notify.error(t`Somebody changed this meanwhile. Choose which value stays, then save again.`)
    setWantsChoice(true)
  }
  // The conflicts stand at their fields; the first has the focus as soon as it is drawn.
  useEffect(() => {
    if (!wantsChoice || conflicts.length === 0) return
    document.querySelector<HTMLElement>('[data-conflict] button')?.focus()
    setWantsChoice(false)
  }, [wantsChoice, conflicts.length])

  const update = useMutation({
    mutationFn: (sent: SettingsDraft) => call('POST /update_app', { appId, body: settingsBody(app, sent) }),
    onSuccess: async (reply, sent) => {
      // A list that is on its way would bring the old values back.
      await queryClient.cancelQueries(appsQuery)
      queryClient.setQueryData(appsQuery.queryKey, (apps) =>
        apps?.map((each) => (each.appId === appId ? reply.app : each)),
      )
      rememberSelectedApp(account.ownerid, reply.app)
      storeSettingsDraft(appId, typedLater(settingsDraft(appId), sent, savedSettings(reply.app)))
      setSubmitted(false)
      notify.success(successText(reply))
    },
    onError: async (error) => {
      if (!(error instanceof CallFailed) || error.code !== 'FIELD_CHANGED') {
        notify.error(failureText(error, t`Error: Failed to save settings`))
        return
      }
      await queryClient.refetchQueries(appsQuery)
      askForChoice()
    },
  })

  const save = () => {
    if (update.isPending) return
    const [wrong] = Object.keys(settingsProblems(values))
    setSubmitted(wrong !== undefined)
    if (wrong !== undefined) document.querySelector<HTMLElement>(`form [name="${wrong}"]`)?.focus()
    else if (conflicts.length > 0) askForChoice()
    else update.mutate(draft)
  }
  const take = (field: SettingsField) => storeSettingsDraft(appId, without(settingsDraft(appId), field))

  return {
    values,
    changed: changedSettings(saved, draft),
    saving: update.isPending,
    /** Silent until the first attempt to save; from then on each problem goes as soon as it is solved. */
    problemOf: (field: SettingsField) => problemText(problems[field]),
    /** What somebody else saved in the field meanwhile, until it is decided which value stays. */
    theirsOf: (field: SettingsField) => (conflicts.includes(field) ? { value: saved[field] } : undefined),
    take,
    keep(field: SettingsField) {
      const { edits, before } = settingsDraft(appId)
      storeSettingsDraft(appId, { edits, before: { ...before, [field]: saved[field] } })
    },
    set<F extends SettingsField>(field: F, value: SettingsForm[F]) {
      setWantsChoice(false)
      if (Object.is(saved[field], value)) return take(field)
      const { edits, before } = settingsDraft(appId)
      storeSettingsDraft(appId, {
        edits: { ...edits, [field]: value },
        before: { [field]: saved[field], ...before },
      })
    },
    save,
    discard() {
      dropSettingsDraft(appId)
      setSubmitted(false)
    },
  }
}

export type SettingsState = ReturnType<typeof useSettingsForm>

/** What was typed while the save ran stays an edit, now of what was saved. */
function typedLater({ edits, before }: SettingsDraft, sent: SettingsDraft, saved: SettingsForm): SettingsDraft {
  const fields = (Object.keys(edits) as SettingsField[]).filter((field) => edits[field] !== sent.edits[field])
  return {
    edits: pickFields(edits, fields),
    before: {
      ...pickFields(before, fields),
      ...pickFields(
        saved,
        fields.filter((field) => field in sent.edits),
      ),
    },
  }
}

function without({ edits, before }: SettingsDraft, field: SettingsField): SettingsDraft {
  const { [field]: _, ...others } = edits
  return { edits: others, before: pickFields(before, Object.keys(others) as SettingsField[]) }
}
