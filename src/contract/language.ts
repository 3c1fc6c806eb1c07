export interface LanguageData {
  /** `lang` of pages, `locale` of their dates and numbers, name of its catalogue, and what an account's row says. */
  code: string
  /** In the language itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** How dates are written in mails. */
  mailDates: string
}

/** The languages of the dashboard and of mails. To add one: CONTRIBUTING, "To add a language". */
export const languages = [
  // In mails the day comes first, so that nobody takes it for the month.
  { code: 'en', name: 'English', direction: 'ltr', mailDates: 'en-GB' },
  { code: 'pt-BR', name: 'Português', direction: 'ltr', mailDates: 'pt-BR' },
  { code: 'es-419', name: 'Español', direction: 'ltr', mailDates: 'es-419' },
] as const satisfies readonly LanguageData[]

export type Language = (typeof languages)[number]['code']

const byCode = new Map<string, (typeof languages)[number]>(languages.map((language) => [language.code, language]))

export const isLanguage = (value: string | null | undefined): value is Language => byCode.has(value ?? '')

/** Of a code as it is stored; English where nothing is known, or a language that there is no more. */
export const languageData = (stored: string | null | undefined): (typeof languages)[number] =>
  byCode.get(stored ?? '') ?? languages[0]

/** As it is stored of an account; English where nothing is known, or a language that there is no more. */
export const languageOf = (stored: string | null | undefined): Language => languageData(stored).code

/** Longer lists are nobody's. */
const maxNamed = 20

const baseOf = (name: string): string => name.split('-', 1)[0] as string

/** Of a name such as `pt-PT`: the language of that name, else the first of its base. */
function languageNamed(name: string): Language | undefined {
  const exact = languages.find(({ code }) => code.toLowerCase() === name)
  return (exact ?? languages.find(({ code }) => baseOf(code) === baseOf(name)))?.code
}

/** What a browser would rather read, by its `Accept-Language`; undefined when it names none of ours. */
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
