import { isIP } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPTransportOptions } from 'nodemailer/lib/smtp-transport'
import type { mailServerErrors } from '#contract/common-errors.ts'
import type { Problem } from '#contract/errors.ts'
import { oneLine } from './mail-text.ts'
import { type PlatformSettings, smtpPasswordContext } from '../settings/platform-settings.ts'
import type { Services } from '../services.ts'
import { TookTooLong, withinTime } from '../process/within-time.ts'

/** Connection to the mail server, and the errors it can have. */

export type MailSettings = PlatformSettings['email']

export interface MailFailure {
  problem: Problem<keyof typeof mailServerErrors>
  /** The email itself was rejected: sending it again would fail the same way. */
  isFinal: boolean
  /** Response of the mail server. Only for the log: shown to a user, it would allow port scans. */
  answer: string
}

/** Port with implicit TLS; all other ports use STARTTLS. */
const tlsPorts = new Set([465, 2465])

/** Recognized by IP address only: a name server may resolve any name to another host. */
const isThisMachine = (host: string): boolean => (isIP(host) === 4 ? host.startsWith('127.') : host === '::1')

/**
 * With SSL, neither email nor password is sent before TLS is verified; without SSL, a password is never sent
 * unencrypted to another machine.
 */
export function connectionOf(
  { config, masterKey, mailTimeoutMs }: Pick<Services, 'config' | 'masterKey' | 'mailTimeoutMs'>,
  email: MailSettings,
): SMTPTransportOptions {
  const { smtpPort, smtpUser } = email
  const host = email.smtpHost.trim()
  const needsTls = email.useSSL || (smtpUser !== '' && !isThisMachine(host))
  const secure = needsTls && tlsPorts.has(smtpPort)
  return {
    host,
    port: smtpPort,
    secure,
    requireTLS: needsTls && !secure,
    ignoreTLS: !needsTls,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    // The HELO name, instead of the name of the machine.
    name: new URL(config.publicUrl).hostname,
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
    socketTimeout: mailTimeoutMs,
    dnsTimeout: mailTimeoutMs,
    ...(smtpUser !== '' && { auth: { user: smtpUser, pass: openPassword(masterKey, email) } }),
  }
}

const unreadableCode = 'EPASSWORD'

/** Only used for the server it was opened for. */
function openPassword(masterKey: Services['masterKey'], email: MailSettings): string {
  if (email.smtpPasswordSealed === '') return ''
  try {
    return masterKey.open(email.smtpPasswordSealed, smtpPasswordContext(email)).toString()
  } catch (cause) {
    throw Object.assign(new Error('The stored password fits another mail server', { cause }), { code: unreadableCode })
  }
}

/**
 * Connects and signs in without sending anything; returns the error, if any. Takes at most the timeout of one response.
 */
export async function tryMailServer(services: Services): Promise<MailFailure | undefined> {
  const { email } = await services.settings.current()
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  let connection: SMTPConnection | undefined
  const close = () => connection?.close()
  services.stopSignal.addEventListener('abort', close, { once: true })
  try {
    const { auth, ...options } = connectionOf(services, email)
    connection = new SMTPConnection(options)
    await withinTime(signIn(connection, auth), services.mailTimeoutMs)
    connection.quit()
    return undefined
  } catch (error) {
    close()
    return failureOf(error as SmtpError)
  } finally {
    services.stopSignal.removeEventListener('abort', close)
  }
}

const signIn = (connection: SMTPConnection, auth: SMTPTransportOptions['auth']): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve())
    // Keeps an error listener to the end: an unhandled error event would end the process.
    connection.on('error', done)
    connection.once('end', () => reject(new Error('Connection closed')))
    connection.connect((error) =>
      error || !auth || !connection.allowsAuth ? done(error) : connection.login(auth, done),
    )
  })

interface SmtpError {
  code?: string
  message: string
  command?: string
  response?: string
  responseCode?: number
}

const maxAnswerLength = 200

/** The kind of failure, without secrets. */
export function failureOf(error: SmtpError): MailFailure {
  const { code, message, response, responseCode = 0 } = error
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    problem: { code: problemCode(error) },
    isFinal: isOfMail && response !== undefined && responseCode >= 500,
    answer: oneLine(response ?? message).slice(0, maxAnswerLength),
  }
}

function problemCode(error: SmtpError): keyof typeof mailServerErrors {
  const { code, command, message, response } = error
  if (code === unreadableCode) return 'MAIL_PASSWORD_UNREADABLE'
  if (error instanceof TookTooLong || code === 'ETIMEDOUT' || code === 'EABORT') return 'MAIL_SERVER_SILENT'
  if (code === 'EDNS') return 'MAIL_HOST_UNKNOWN'
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'MAIL_LOGIN_REFUSED'
  if (code === 'ETLS' || command === 'STARTTLS') return 'MAIL_TLS_FAILED'
  if (response !== undefined) return command === 'RCPT TO' ? 'MAIL_RECIPIENT_REFUSED' : 'MAIL_REFUSED'
  return /certificate|altname|TLS|SSL/i.test(message) ? 'MAIL_TLS_FAILED' : 'MAIL_SERVER_UNREACHABLE'
}
