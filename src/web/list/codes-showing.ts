import { i18n, type MessageDescriptor } from '@lingui/core'

/** Ignores case and accents: a search for `maquina` finds `máquina`. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase(i18n.locale)

/**
 * The codes whose text in the reader's language matches a search, in the format of the `searchCodes` parameter: the
 * server does not have the texts of the screens.
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
