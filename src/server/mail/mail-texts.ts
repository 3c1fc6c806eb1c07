import { type Language, languageData } from '#contract/language.ts'
import { englishMails } from './english-mails.ts'
import { spanishMails } from './spanish-mails.ts'
import { portugueseMails } from './portuguese-mails.ts'

/** All emails of this server, by code and language. */
export const mailTexts: Readonly<Record<Language, typeof englishMails>> = {
  en: englishMails,
  'pt-BR': portugueseMails,
  'es-419': spanishMails,
}

export type MailCode = keyof typeof englishMails
export type MailValues<C extends MailCode> = Parameters<(typeof englishMails)[C]>[0]

interface Reader {
  /** Time zone of the account; null is UTC. */
  timeZone: string | null
  /** Stored language of the account; null is English. */
  language: string | null
}

/** Formats a time for an email. `at` in epoch seconds. */
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
