import { i18n, type MessageDescriptor } from '@lingui/core'
import { createStore } from '../browser/store.ts'

/** What a rule or a reply says: a code, its values, and from the server the specification's English text. */
export interface Coded {
  code?: string | undefined
  values?: Readonly<Record<string, string | number>> | undefined
  message?: string | undefined
}

export const codeTextsStore = createStore<Readonly<Record<string, MessageDescriptor>>>({})

let loading: Promise<void> | undefined

/** One chunk for all features, so that no page carries texts that it may never show. Never fails. */
export function loadCodeTexts(): Promise<void> {
  loading ??= import('virtual:code-texts').then(
    (module) => codeTextsStore.set(module.textsByCode),
    // Offline: the English text of the reply stands in, and the next call tries again.
    () => void (loading = undefined),
  )
  return loading
}

/** The text of a code in the reader's language; of one that this page doesn't know, the server's own. */
export function codeText({ code, values, message }: Coded): string {
  const known = code === undefined ? undefined : codeTextsStore.get()[code]
  if (known) return i18n._(known.id, { ...values }, { message: known.message })
  return message ?? code ?? ''
}
