export interface LanguageData {
  /** `lang` of pages, locale of dates and numbers, name of the catalog, and the stored value of an account. */
  code: string
  /** Name of the language in that language. */
  name: string
  direction: 'ltr' | 'rtl'
  /** Locale of dates in emails. */
  mailDates: string
}

/** Languages of the dashboard and of emails. To add one, see CONTRIBUTING, "To add a language". */
export const languages = [
  // Emails write the day first, so that it cannot be mistaken for the month.
  { code: 'en', name: 'English', direction: 'ltr', mailDates: 'en-GB' },
  { code: 'pt-BR', name: 'Português', direction: 'ltr', mailDates: 'pt-BR' },
  { code: 'es-419', name: 'Español', direction: 'ltr', mailDates: 'es-419' },
] as const satisfies readonly LanguageData[]

export type Language = (typeof languages)[number]['code']

const byCode = new Map<string, (typeof languages)[number]>(languages.map((language) => [language.code, language]))

export const isLanguage = (value: string | null | undefined): value is Language => byCode.has(value ?? '')

/** Data of a stored language code; English if the code is missing or no longer supported. */
export const languageData = (stored: string | null | undefined): (typeof languages)[number] =>
  byCode.get(stored ?? '') ?? languages[0]

/** The stored language of an account; English if it is missing or no longer supported. */
export const languageOf = (stored: string | null | undefined): Language => languageData(stored).code

/** Limits the work for very long headers. */
const maxNamed = 20

const baseOf = (name: string): string => name.split('-', 1)[0] as string

/** The language of a tag such as `pt-PT`: an exact match, else the first language with the same base. */
function languageNamed(name: string): Language | undefined {
  const exact = languages.find(({ code }) => code.toLowerCase() === name)
  return (exact ?? languages.find(({ code }) => baseOf(code) === baseOf(name)))?.code
}

/** The preferred language of a browser by its `Accept-Language` header; undefined if none is supported. */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  const named = (header ?? '').split(',', maxNamed).map((each) => {
    const [name = '', ...parameters] = each
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? ''
    const quality = q === '' ? 1 : Number(q)
    return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 }
  })
  const wanted = named.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  return wanted.map(({ name }) => languageNamed(name)).find((language) => language !== undefined)
}
