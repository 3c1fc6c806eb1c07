/** The languages of the dashboard and of mails. */
export const languages = ['en', 'pt-BR'] as const
export type Language = (typeof languages)[number]

const isLanguage = (value: string | null | undefined): value is Language =>
  (languages as readonly (string | null | undefined)[]).includes(value)

/** As it is stored of an account; English where nothing is known, or a language that there is no more. */
export const languageOf = (stored: string | null | undefined): Language => (isLanguage(stored) ? stored : 'en')

/** Longer lists are nobody's. */
const maxNamed = 20

/** What a browser would rather read, by its `Accept-Language`; undefined when it names none of ours. */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  const named = (header ?? '').split(',', maxNamed).map((each) => {
    const [name = '', ...parameters] = each
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? ''
    const quality = q === '' ? 1 : Number(q)
    const [base] = name.split('-')
    return { language: base === 'pt' ? 'pt-BR' : base, quality: quality >= 0 && quality <= 1 ? quality : 0 }
  })
  const wanted = named.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  return wanted.map(({ language }) => language).find(isLanguage)
}
