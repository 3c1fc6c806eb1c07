import { randomUUID } from 'node:crypto'
import { mailErrors } from '#contract/common-errors.ts'
import { isEmailAddress } from '#contract/email-address.ts'
import { type LanguageData, languageData } from '#contract/language.ts'
import { reject } from '#contract/errors.ts'
import { htmlText } from '#contract/html-text.ts'
import type { Tx } from '#database/database.ts'
import { enqueueJobs, type Job, type JobHandler, type RunAgain } from '../jobs/jobs.ts'
import { connectionOf, failureOf, type MailFailure, type MailSettings } from './mail-connection.ts'
import { type MailPlatform, type MailText, oneLine } from './mail-text.ts'
import { type MailCode, mailTexts, type MailValues } from './mail-texts.ts'
import { epochSeconds, type Services } from '../services.ts'

/** Sends email through the administrators' mail server, after the transaction that causes it. */

export interface NewMail<C extends MailCode> {
  to: string
  /** Stored language of the recipient; null is English. */
  language: string | null
  code: C
  values: MailValues<C>
  /** Brand whose name and URL replace those of the platform. */
  brand?: MailPlatform | undefined
  /** Epoch seconds: an email that could not be sent by then is dropped. */
  usefulUntil?: number
}

export const canSendMail = ({ enabled, smtpHost, senderEmail }: MailSettings): boolean =>
  enabled && smtpHost.trim() !== '' && isEmailAddress(senderEmail.trim())

export const mailIsOn = ({ settings }: Pick<Services, 'settings'>): boolean => canSendMail(settings.latest.email)

/** For calls that are useless without email. */
export function requireMail(services: Pick<Services, 'settings'>): void {
  if (!mailIsOn(services)) reject(mailErrors, 'MAIL_OFF')
}

const mailKind = 'mail'
/** A sealed email is bound to its job kind: it may contain a link that gives access to an account. */
const mailContext = 'jobs|payload|mail'

interface Payload {
  sealed: string
}

type StoredMail = NewMail<MailCode> & { id: string }

/** Sends an email after the commit; does nothing if email is turned off or the address is not valid. */
export async function queueMail<C extends MailCode>(
  tx: Tx,
  services: Pick<Services, 'settings' | 'masterKey'>,
  mail: NewMail<C>,
  now: number,
): Promise<void> {
  if (!mailIsOn(services) || !isEmailAddress(mail.to)) return
  const stored = { ...mail, id: randomUUID() }
  const payload: Payload = { sealed: services.masterKey.seal(JSON.stringify(stored), mailContext) }
  await enqueueJobs(tx, [{ kind: mailKind, lane: mailKind, payload, dueAt: now }], now)
}

async function sendQueued(services: Services, { payload }: Job<Payload>): Promise<RunAgain | void> {
  const mail = JSON.parse(services.masterKey.open(payload.sealed, mailContext).toString()) as StoredMail
  const { email } = await services.settings.current()
  if (!canSendMail(email)) {
    services.log.warn({ mail: mail.code }, 'an email was dropped: email has been turned off')
    return
  }
  if (mail.usefulUntil !== undefined && mail.usefulUntil <= epochSeconds(services)) {
    services.log.warn({ mail: mail.code }, 'an email was dropped: it has expired')
    return
  }
  const failure = await sendMail(services, mail)
  if (!failure) return
  const { problem, isFinal, answer } = failure
  services.log.warn({ mail: mail.code, problem: problem.code, answer }, 'could not send an email')
  const text = `${mail.code}: ${problem.code}`
  if (isFinal) return { nextAt: epochSeconds(services), error: text, isLast: true }
  throw new Error(text)
}

/** One at a time, so that a mail server sees one connection per process. */
export const mailJobs: Readonly<Record<string, JobHandler>> = {
  [mailKind]: { concurrency: 1, leaseSeconds: 300, maxAttempts: 12, run: sendQueued as JobHandler['run'] },
}

/** Number of slow responses the timeout allows for: connecting, signing in and sending. */
const maxAnswerTimes = 8

/** Sends an email immediately with the current settings or `via`; returns the error, if any. */
export async function sendMail<C extends MailCode>(
  services: Services,
  { to, language, code, values, brand, id = randomUUID() }: NewMail<C> & { id?: string },
  via?: MailSettings,
): Promise<MailFailure | undefined> {
  const { config } = services
  const current = await services.settings.current()
  const email = via ?? current.email
  const about: MailPlatform = brand ?? { name: oneLine(current.platform.platformName), url: config.publicUrl }
  const reader = languageData(language)
  const text = (mailTexts[reader.code][code] as (values: MailValues<C>, about: MailPlatform) => MailText)(values, about)
  // Loaded on first use: most processes never send email.
  const { createTransport } = await import('nodemailer')
  let transport: ReturnType<typeof createTransport> | undefined
  const [, domain] = email.senderEmail.trim().split('@')
  try {
    transport = createTransport(connectionOf(services, email))
    await transport.sendMail({
      from: { name: (brand ? '' : oneLine(email.senderName)) || about.name, address: email.senderEmail.trim() },
      to: { name: '', address: to },
      subject: oneLine(text.subject),
      text: plainBody(text, about),
      html: htmlBody(text, about, reader),
      // The same for every attempt: clients show an email that was sent twice only once.
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      // Limits a mail server with endless responses to the timeout of each response.
      signal: AbortSignal.any([AbortSignal.timeout(services.mailTimeoutMs * maxAnswerTimes), services.stopSignal]),
    })
    return undefined
  } catch (error) {
    return failureOf(error as Error)
  } finally {
    transport?.close()
  }
}

const paragraphsOf = ({ lines, link, closing = [] }: MailText): { text: string; isLink: boolean }[] => [
  ...lines.map((text) => ({ text, isLink: false })),
  ...(link === undefined ? [] : [{ text: link, isLink: true }]),
  ...closing.map((text) => ({ text, isLink: false })),
]

const plainBody = (mail: MailText, { name, url }: MailPlatform): string =>
  [...paragraphsOf(mail).map(({ text }) => text), `-- \n${name}\n${url}`].join('\n\n')

function htmlBody(mail: MailText, { name, url }: MailPlatform, reader: LanguageData): string {
  const anchor = (address: string) => `<a href="${htmlText(address)}">${htmlText(address)}</a>`
  const body = paragraphsOf(mail).map(({ text, isLink }) => `<p>${isLink ? anchor(text) : htmlText(text)}</p>`)
  return [
    `<!doctype html><html lang="${reader.code}" dir="${reader.direction}"><head><meta charset="utf-8"></head>`,
    '<body style="font-family:sans-serif;font-size:15px;line-height:1.5;max-width:36em">',
    ...body,
    `<p style="color:#666">${htmlText(name)}<br>${anchor(url)}</p>`,
    '</body></html>',
  ].join('\n')
}
