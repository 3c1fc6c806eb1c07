import { i18n, type MessageDescriptor } from '@lingui/core'
import { createStore } from '../browser/store.ts'

/** Message of a rule or a reply: a code, its values, and from the server the specification's English text. */
export interface Coded {
  code?: string | undefined
  values?: Readonly<Record<string, string | number>> | undefined
  message?: string | undefined
}

export const codeTextsStore = createStore<Readonly<Record<string, MessageDescriptor>>>({})

let loading: Promise<void> | undefined

/**
 * Loads the texts of all features as one chunk, so that pages do not include texts they may never show. Never fails.
 */
export function loadCodeTexts(): Promise<void> {
  loading ??= import('virtual:code-texts').then(
    (module) => codeTextsStore.set(module.textsByCode),
    // Offline: the English text of the reply is used, and the next call tries again.
    () => void (loading = undefined),
  )
  return loading
}

/** The text of a code in the reader's language; the server's own text for a code unknown to this page. */
export function codeText({ code, values, message }: Coded): string {
  const known = code === undefined ? undefined : codeTextsStore.get()[code]
  if (known) return i18n._(known.id, { ...values }, { message: known.message })
  return message ?? code ?? ''
}
