import { t } from '@lingui/core/macro'
import { notify } from '../browser/notify.ts'
import type { FormDraft } from './field-changes.ts'
import type { SaveFormOptions } from './save-form.ts'
import { forgetUnsaved, setUnsaved } from './unsaved.ts'
import { noEdits } from './use-form-draft.ts'

const drafts = new Map<string, unknown>()

type DraftKey = readonly (string | number | undefined)[]

/**
 * Unsaved edits of a form on a page or in the panel, which is mounted anew by another page, language, or width of the
 * window. Kept until they are saved or discarded; gone when the page is loaded again, before which the browser asks.
 * @param key which form, of which account or app
 */
export function formDraft<B extends object, V extends object = B>(
  ...key: DraftKey
): NonNullable<SaveFormOptions<B, V, unknown>['draft']> {
  const id = JSON.stringify(key)
  return {
    get: () => (drafts.get(id) as FormDraft<V, B> | undefined) ?? noEdits(),
    set: (draft) => {
      if (hasEdits(draft)) drafts.set(id, draft)
      else drafts.delete(id)
      setUnsaved(id, hasEdits(draft))
    },
  }
}

/** The keys of what is unsaved that begin like this. */
export const draftKeys = (...start: DraftKey): DraftKey[] => {
  const prefix = JSON.stringify(start).slice(0, -1)
  return [...drafts.keys()].filter((id) => id.startsWith(`${prefix},`)).map((id) => JSON.parse(id) as DraftKey)
}

/** Of a form about something that is deleted. */
export const forgetDraft = (key: DraftKey): void => formDraft(...key).set(noEdits())

/** Forgets what was typed for things that somebody else has deleted, and says so: it can't be saved anymore. */
export function discardGone(keys: readonly DraftKey[], names: string): void {
  keys.forEach(forgetDraft)
  notify.warning(t`Deleted meanwhile, so what you typed is discarded: ${names}`)
}

/** With the session: the next one may be another person's. */
export function forgetDrafts(): void {
  drafts.clear()
  forgetUnsaved()
}

export const hasEdits = ({ edits }: Pick<FormDraft<object, object>, 'edits'>): boolean => Object.keys(edits).length > 0
