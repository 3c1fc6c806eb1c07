import { type Language, languageOf } from '#contract/language.ts'
import { englishMails } from './english-mails.ts'
import { portugueseMails } from './portuguese-mails.ts'

/** Every mail that this server sends, by code, in each language. */
export const mailTexts: Readonly<Record<Language, typeof englishMails>> = { en: englishMails, 'pt-BR': portugueseMails }

export type MailCode = keyof typeof englishMails
export type MailValues<C extends MailCode> = Parameters<(typeof englishMails)[C]>[0]

/** How dates are written: in English the day comes first, so that nobody takes it for the month. */
const dateLocales: Readonly<Record<Language, string>> = { en: 'en-GB', 'pt-BR': 'pt-BR' }

interface Reader {
  /** The zone that the account has chosen; null is UTC. */
  timeZone: string | null
  /** As it is stored; null is English. */
  language: string | null
}

/** A time as a mail says it. `at` in epoch seconds. */
export const mailTime = (at: number, { timeZone, language }: Reader): string =>
  new Intl.DateTimeFormat(dateLocales[languageOf(language)], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  }).format(at * 1000)
