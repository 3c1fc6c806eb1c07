import { type Language, languageData } from '#contract/language.ts'
import { englishMails } from './english-mails.ts'
import { spanishMails } from './spanish-mails.ts'
import { portugueseMails } from './portuguese-mails.ts'

/** Every mail that this server sends, by code, in each language. */
export const mailTexts: Readonly<Record<Language, typeof englishMails>> = {
  en: englishMails,
  'pt-BR': portugueseMails,
  'es-419': spanishMails,
}

export type MailCode = keyof typeof englishMails
export type MailValues<C extends MailCode> = Parameters<(typeof englishMails)[C]>[0]

interface Reader {
  /** The zone that the account has chosen; null is UTC. */
  timeZone: string | null
  /** As it is stored; null is English. */
  language: string | null
}

/** A time as a mail says it. `at` in epoch seconds. */
export const mailTime = (at: number, { timeZone, language }: Reader): string =>
  new Intl.DateTimeFormat(languageData(language).mailDates, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  }).format(at * 1000)
