import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { FormDraft } from '#web/form/field-changes.ts'
import type { SaveForm, SaveFormOptions } from '#web/form/save-form.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { onSettingsSaved, saveSettings, type Saved, type SettingsGroup } from './settings-undo.ts'

type Options<B extends object> = Pick<SaveFormOptions<B, B, Saved>, 'start' | 'problems'> &
  Partial<Pick<SaveFormOptions<B, B, Saved>, 'writeOnly' | 'send' | 'onSaved'>>

/** The form of a group of the platform's settings. */
export function useGroupForm<B extends object>(group: SettingsGroup, options: Options<B>): SaveForm<B, B, Saved> {
  const draft = useDraft<B>()
  return useSaveForm<B, Saved>({
    isNew: false,
    send: (request) => saveSettings(group, request),
    failure: t`Failed to save settings`,
    draft,
    onSaved: onSettingsSaved,
    ...options,
  })
}

/** Edits of a form while it is open: the fields that nobody edited follow what is stored. */
function useDraft<B extends object>() {
  const [draft] = useState(() => {
    let edits: FormDraft<B, B> = { edits: {}, before: {} }
    return { get: () => edits, set: (next: FormDraft<B, B>) => void (edits = next) }
  })
  return draft
}
