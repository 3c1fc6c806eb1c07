import { useEffect, useEffectEvent, useState } from 'react'
import type { FormDraft } from './field-changes.ts'
import type { SaveFormOptions } from './save-form.ts'

type DraftStore<V extends object, B extends object> = NonNullable<SaveFormOptions<B, V, unknown>['draft']>

export const noEdits = () => ({ edits: {}, before: {} })

/** Unsaved edits from before; read once. */
export function useBegunDraft<V extends object, B extends object>(draft: DraftStore<V, B> | undefined) {
  const [begun] = useState(() => draft?.get())
  return begun
}

/** Keeps unsaved edits beyond the life of the form. */
export function useStoredDraft<V extends object, B extends object>(
  draft: DraftStore<V, B> | undefined,
  edits: FormDraft<V, B>,
): void {
  const editsText = JSON.stringify(edits)
  const store = useEffectEvent(() => draft?.set(edits))
  useEffect(() => store(), [editsText])
}
