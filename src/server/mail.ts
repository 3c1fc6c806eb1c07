import { randomUUID } from 'node:crypto'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPTransportOptions } from 'nodemailer/lib/smtp-transport'
import { mailRefusals, type mailServerRefusals } from '#contract/common-refusals.ts'
import { isEmailAddress } from '#contract/email-address.ts'
import { type Language, languageOf } from '#contract/language.ts'
import { type Problem, refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { enqueueJobs, type Job, type JobHandler, type RunAgain } from './jobs.ts'
import type { MailPlatform, MailText } from './mail-text.ts'
import { type MailCode, mailTexts, type MailValues } from './mail-texts.ts'
import { type PlatformSettings, smtpPasswordPlace } from './platform-settings.ts'
import { epochSeconds, type Services } from './services.ts'
import { TookTooLong, withinTime } from './within-time.ts'

/** Mail leaves by the administrator's mail server, after the transaction that it is about. */

export interface NewMail<C extends MailCode> {
  to: string
  /** As it is stored of the reader; null is English. */
  language: string | null
  code: C
  values: MailValues<C>
  /** Epoch seconds: a mail that could not be sent until then is dropped. */
  usefulUntil?: number
}

type MailSettings = PlatformSettings['email']

const isOn = ({ enabled, smtpHost, senderEmail }: MailSettings): boolean =>
  enabled && smtpHost.trim() !== '' && isEmailAddress(senderEmail.trim())

export const mailIsOn = ({ settings }: Pick<Services, 'settings'>): boolean => isOn(settings.latest.email)

/** For calls that are of no use without mail. */
export function requireMail(services: Pick<Services, 'settings'>): void {
  if (!mailIsOn(services)) refuse(mailRefusals, 'MAIL_OFF')
}

const mailKind = 'mail'
/** A sealed mail is bound to its job's kind: it may hold a link that opens an account. */
const mailPlace = 'jobs|payload|mail'

interface Payload {
  sealed: string
}

type StoredMail = NewMail<MailCode> & { id: string }

/** Sends a mail after the commit, or nothing while mail is off or where the address can be none. */
export async function queueMail<C extends MailCode>(
  tx: Tx,
  services: Pick<Services, 'settings' | 'masterKey'>,
  mail: NewMail<C>,
  now: number,
): Promise<void> {
  if (!mailIsOn(services) || !isEmailAddress(mail.to)) return
  const stored = { ...mail, id: randomUUID() }
  const payload: Payload = { sealed: services.masterKey.seal(JSON.stringify(stored), mailPlace) }
  await enqueueJobs(tx, [{ kind: mailKind, lane: mailKind, payload, dueAt: now }], now)
}

async function sendQueued(services: Services, { payload }: Job<Payload>): Promise<RunAgain | void> {
  const mail = JSON.parse(services.masterKey.open(payload.sealed, mailPlace).toString()) as StoredMail
  const { email } = await services.settings.current()
  if (!isOn(email)) {
    services.log.warn({ mail: mail.code }, 'a mail was dropped: mail is off by now')
    return
  }
  if (mail.usefulUntil !== undefined && mail.usefulUntil <= epochSeconds(services)) {
    services.log.warn({ mail: mail.code }, 'a mail was dropped: it came too late')
    return
  }
  const failure = await sendMail(services, mail)
  if (!failure) return
  const { problem, isFinal } = failure
  const text = `${mail.code}: ${problem.code} ${problem.values?.['answer'] ?? ''}`.trim()
  if (isFinal) return { nextAt: epochSeconds(services), error: text, isLast: true }
  throw new Error(text)
}

/** One after the other, so that a mail server sees one connection of each process. */
export const mailJobs: Readonly<Record<string, JobHandler>> = {
  [mailKind]: { concurrency: 1, leaseSeconds: 300, maxAttempts: 12, run: sendQueued as JobHandler['run'] },
}

interface MailFailure {
  problem: Problem<keyof typeof mailServerRefusals>
  /** The mail itself was refused: sending it again would be refused again. */
  isFinal: boolean
}

/** For how many answers that take as long as one may there is time: to connect, to sign in and to send. */
const maxAnswerTimes = 8

/** Sends a mail now; gives what went wrong, never with a secret in it. */
export async function sendMail<C extends MailCode>(
  services: Services,
  { to, language, code, values, id = randomUUID() }: NewMail<C> & { id?: string },
): Promise<MailFailure | undefined> {
  const { config } = services
  const { platform, email } = await services.settings.current()
  const about: MailPlatform = { name: oneLine(platform.platformName), url: config.publicUrl }
  const lang = languageOf(language)
  const text = (mailTexts[lang][code] as (values: MailValues<C>, about: MailPlatform) => MailText)(values, about)
  // Loaded by whoever sends: most processes never do.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(connectionOf(services, email))
  const [, domain] = email.senderEmail.trim().split('@')
  try {
    await transport.sendMail({
      from: { name: oneLine(email.senderName) || about.name, address: email.senderEmail.trim() },
      to: { name: '', address: to },
      subject: oneLine(text.subject),
      text: plainBody(text, about),
      html: htmlBody(text, about, lang),
      // The same each time: a mail that is sent twice is shown once.
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      // A server whose answers have no end keeps each of them within the time of one.
      signal: AbortSignal.timeout(services.mailTimeoutMs * maxAnswerTimes),
    })
    return undefined
  } catch (error) {
    return failureOf(error as SmtpError)
  } finally {
    transport.close()
  }
}

/** Connects and signs in as sending does, and sends nothing; gives what went wrong, within the time of one answer. */
export async function tryMailServer(services: Services): Promise<MailFailure['problem'] | undefined> {
  const { email } = await services.settings.current()
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const { auth, ...options } = connectionOf(services, email)
  const connection = new SMTPConnection(options)
  try {
    await withinTime(signIn(connection, auth), services.mailTimeoutMs)
    connection.quit()
    return undefined
  } catch (error) {
    connection.close()
    if (error instanceof TookTooLong) return { code: 'MAIL_SERVER_SILENT' }
    return failureOf(error as SmtpError).problem
  }
}

const signIn = (connection: SMTPConnection, auth: SMTPTransportOptions['auth']): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    // Heard to the end: an error that nobody hears would end the process.
    connection.on('error', done)
    connection.once('end', () => reject(new Error('Connection closed')))
    connection.connect((error) =>
      error || !auth || !connection.allowsAuth ? done(error) : connection.login(auth, done),
    )
  })

/** Whose first bytes are TLS; everywhere else TLS begins by STARTTLS. */
const tlsPorts = new Set([465, 2465])

/** How the mail server is reached. With SSL nothing is sent, neither mail nor password, before TLS is checked. */
export function connectionOf(
  { config, masterKey, mailTimeoutMs }: Pick<Services, 'config' | 'masterKey' | 'mailTimeoutMs'>,
  { smtpHost, smtpPort, smtpUser, smtpPasswordSealed, useSSL }: MailSettings,
): SMTPTransportOptions {
  const pass = smtpPasswordSealed === '' ? '' : masterKey.open(smtpPasswordSealed, smtpPasswordPlace).toString()
  const secure = useSSL && tlsPorts.has(smtpPort)
  return {
    host: smtpHost.trim(),
    port: smtpPort,
    secure,
    requireTLS: useSSL && !secure,
    ignoreTLS: !useSSL,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    // What the server calls itself, instead of the name of the machine.
    name: new URL(config.publicUrl).hostname,
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    socketTimeout: mailTimeoutMs,
    dnsTimeout: mailTimeoutMs,
    ...(smtpUser !== '' && { auth: { user: smtpUser, pass } }),
  }
}

interface SmtpError {
  code?: string
  message: string
  command?: string
  response?: string
  responseCode?: number
}

const maxAnswerLength = 200

/** What the mail server said, in its words; otherwise what the network did. */
function failureOf(error: SmtpError): MailFailure {
  const { code, command, message, response, responseCode = 0 } = error
  const values = { answer: oneLine(response ?? message).slice(0, maxAnswerLength) }
  const as = (name: keyof typeof mailServerRefusals, isFinal = false): MailFailure => ({
    problem: { code: name, ...(name !== 'MAIL_SERVER_SILENT' && { values }) },
    isFinal,
  })
  if (code === 'EAUTH' || code === 'ENOAUTH') return as('MAIL_LOGIN_REFUSED')
  if (code === 'ETIMEDOUT' || code === 'EABORT') return as('MAIL_SERVER_SILENT')
  if (response !== undefined) {
    const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE'
    return as(command === 'STARTTLS' ? 'MAIL_TLS_FAILED' : 'MAIL_REFUSED', isOfMail && responseCode >= 500)
  }
  if (code === 'ETLS' || /certificate|altname|TLS|SSL/i.test(message)) return as('MAIL_TLS_FAILED')
  return as('MAIL_SERVER_UNREACHABLE')
}

/** No value ends a header or hides in one. */
const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const paragraphsOf = ({ lines, link, closing = [] }: MailText): { text: string; isLink: boolean }[] => [
  ...lines.map((text) => ({ text, isLink: false })),
  ...(link === undefined ? [] : [{ text: link, isLink: true }]),
  ...closing.map((text) => ({ text, isLink: false })),
]

const plainBody = (mail: MailText, { name, url }: MailPlatform): string =>
  [...paragraphsOf(mail).map(({ text }) => text), `-- \n${name}\n${url}`].join('\n\n')

const entities: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replaceAll(/[&"<>]/g, (sign) => entities[sign] as string)

function htmlBody(mail: MailText, { name, url }: MailPlatform, lang: Language): string {
  const anchor = (address: string) => `<a href="${escaped(address)}">${escaped(address)}</a>`
  const body = paragraphsOf(mail).map(({ text, isLink }) => `<p>${isLink ? anchor(text) : escaped(text)}</p>`)
  return [
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"></head>`,
    '<body style="font-family:sans-serif;font-size:15px;line-height:1.5;max-width:36em">',
    ...body,
    `<p style="color:#666">${escaped(name)}<br>${anchor(url)}</p>`,
    '</body></html>',
  ].join('\n')
}
