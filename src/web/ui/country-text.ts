import { i18n } from '@lingui/core'

/** By locale: creating one costs far more than its use, and a list uses it in every row. */
const namesByLocale = new Map<string, Intl.DisplayNames>()

/** Name of a country in the reader's language. `code` is ISO 3166-1 alpha-2; unknown ones are returned as they are. */
export function countryText(code: string): string {
  const { locale } = i18n
  const names = namesByLocale.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  namesByLocale.set(locale, names)
  try {
    return names.of(code) ?? code
  } catch {
    // Not the form of a code.
    return code
  }
}
