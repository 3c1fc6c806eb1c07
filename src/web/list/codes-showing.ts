import { i18n, type MessageDescriptor } from '@lingui/core'

/** Without case and accents: people who search for `maquina` mean `máquina`. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase(i18n.locale)

/**
 * The codes whose text, as the reader's language has it, contains what is searched for; in the form in which a call
 * takes them beside the search, because the server has no texts of the screens.
 */
export function codesShowing(
  search: string,
  texts: Iterable<readonly [code: string, text: MessageDescriptor]>,
): string | undefined {
  const words = plain(search.trim())
  if (words === '') return undefined
  const found = [...texts].filter(([, text]) => plain(i18n._(text)).includes(words)).map(([code]) => code)
  return found.length === 0 ? undefined : found.join(',')
}
