import { frameAddressFault, type FrameSurroundings } from '#contract/frame-address.ts'
import { type MailServerAddress, mailServerKey } from '#contract/mail-server.ts'
import type { Problem } from '#contract/errors.ts'
import { readSize } from '#contract/size.ts'
import { emailProblem } from '#features/accounts/accounts.rules.ts'
import type { settingsErrors } from './admin.errors.ts'

/** Validation of the platform settings. */

type SettingsProblem = Problem<keyof typeof settingsErrors> | undefined

/** The settings themselves must still fit, and the server accepts at most 1 GB. */
const requestSize = { min: '100KB', max: '1GB' } as const

export function requestSizeProblem(text: string): SettingsProblem {
  const bytes = readSize(text) ?? -1
  const isAllowed = bytes >= (readSize(requestSize.min) ?? 0) && bytes <= (readSize(requestSize.max) ?? 0)
  return isAllowed ? undefined : { code: 'REQUEST_SIZE_INVALID', values: requestSize }
}

export const originsProblem = (text: string, isEnabled: boolean): SettingsProblem =>
  !isEnabled || text.trim() === '*' || originsIn(text).every(isOrigin) ? undefined : { code: 'ORIGINS_INVALID' }

const originsIn = (text: string): string[] => text.split(',').map((origin) => origin.trim())

/** In the form browsers send: no path, lower case, no default port. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text

interface Email {
  enabled: boolean
  smtpHost: string
  senderEmail: string
}

export const smtpHostProblem = ({ enabled, smtpHost }: Email): SettingsProblem =>
  enabled && smtpHost.trim() === '' ? { code: 'SMTP_HOST_REQUIRED' } : undefined

interface MailPassword extends MailServerAddress {
  smtpUser: string
  /** The entered password; empty keeps the stored one. */
  smtpPassword: string
}

/** The stored password belongs to one server and is never sent to another one, or with other connection settings. */
export const smtpPasswordProblem = (
  stored: MailServerAddress & { hasPassword: boolean },
  next: MailPassword,
): SettingsProblem =>
  stored.hasPassword &&
  next.smtpUser !== '' &&
  next.smtpPassword === '' &&
  mailServerKey(stored) !== mailServerKey(next)
    ? { code: 'SMTP_PASSWORD_REQUIRED' }
    : undefined

export const senderEmailProblem = ({ enabled, senderEmail }: Email): SettingsProblem =>
  enabled && emailProblem(senderEmail) ? { code: 'SENDER_EMAIL_INVALID' } : undefined

export const platformNameProblem = (name: string): SettingsProblem =>
  name.trim() === '' ? { code: 'PLATFORM_NAME_REQUIRED' } : undefined

/** The page framed on /status. */
export function statusPageProblem(url: string, surroundings: FrameSurroundings): SettingsProblem {
  const code = frameAddressFault(url.trim(), surroundings)
  return code && { code }
}

export const maintenanceMessageProblem = (message: string, isOn: boolean): SettingsProblem =>
  isOn && message.trim() === '' ? { code: 'MAINTENANCE_MESSAGE_REQUIRED' } : undefined
