import type { Problem } from '#contract/errors.ts'
import type { appsErrors } from './apps.errors.ts'

/** Validation of apps and their settings. */

export const firstLevel = { level: 1, name: 'Basic', active: true } as const

export const appDefaults = {
  version: '1.0',
  appStatus: true,
  vpnBlock: false,
  hwidLock: true,
  hashCheck: false,
  minimumHwidLength: 8,
  hashToCheck: '',
  autoUpdateDownloadLink: '',
  webloaderDownloadLink: '',
  discordWebhookLink: '',
  sessionExpiryDuration: 3600,
  oneSessionPerCredential: true,
} as const

export const sessionExpiryRange = { min: 300, max: 86_400, step: 60 } as const
export const hwidLengthRange = { min: 1, max: 64 } as const
export const maxDescriptionLength = 500
const nameLength = { min: 3, max: 50 } as const
const maxVersionLength = 32
const maxLinkLength = 2000

type AppProblem = Problem<keyof typeof appsErrors> | undefined

export function appNameProblem(name: string): AppProblem {
  const { min, max } = nameLength
  if (name.trim() === '') return { code: 'APP_NAME_REQUIRED' }
  if (name.trim().length < min) return { code: 'APP_NAME_TOO_SHORT', values: { min } }
  if (name.trim().length > max) return { code: 'APP_NAME_TOO_LONG', values: { max } }
  return /^[A-Za-z0-9 _-]+$/.test(name) ? undefined : { code: 'APP_NAME_CHARACTERS' }
}

export const descriptionProblem = (description: string): AppProblem =>
  description.length > maxDescriptionLength
    ? { code: 'APP_DESCRIPTION_TOO_LONG', values: { max: maxDescriptionLength } }
    : undefined

/** Any visible characters with single spaces in between, such as "1.0 beta". */
export function versionProblem(version: string): AppProblem {
  const text = version.trim()
  const isVersion = [...text].length <= maxVersionLength && /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u.test(text)
  return isVersion ? undefined : { code: 'APP_VERSION_INVALID', values: { max: maxVersionLength } }
}

/** `undefined` for an empty field. */
export const minHwidLengthProblem = (length: number | undefined): AppProblem =>
  isInRange(length, hwidLengthRange) ? undefined : { code: 'MIN_HWID_LENGTH_INVALID', values: minMax(hwidLengthRange) }

/** `undefined` for an empty field. */
export const sessionExpiryProblem = (seconds: number | undefined): AppProblem =>
  isInRange(seconds, sessionExpiryRange)
    ? undefined
    : { code: 'SESSION_EXPIRY_INVALID', values: minMax(sessionExpiryRange) }

/** A SHA-256 in hexadecimal, as the client sends it for `hash_check`. */
export function hashProblem(hash: string, required: boolean): AppProblem {
  if (hash === '') return required ? { code: 'HASH_REQUIRED' } : undefined
  return /^[0-9a-fA-F]{64}$/.test(hash) ? undefined : { code: 'HASH_INVALID' }
}

export const autoUpdateLinkProblem = (link: string): AppProblem =>
  link === '' || isWebAddress(link) ? undefined : { code: 'AUTO_UPDATE_LINK_INVALID' }

export const webloaderLinkProblem = (link: string): AppProblem =>
  link === '' || isWebAddress(link) ? undefined : { code: 'WEBLOADER_LINK_INVALID' }

/** The link itself is a secret, so plain HTTP is rejected. */
export function webhookLinkProblem(link: string): AppProblem {
  const protocol = protocolOf(link)
  if (link === '' || protocol === 'https:') return undefined
  return { code: protocol === undefined ? 'WEBHOOK_LINK_INVALID' : 'WEBHOOK_LINK_NOT_HTTPS' }
}

/** Links are passed to programs unchanged, so only plain web addresses are allowed. */
const isWebAddress = (link: string): boolean => ['http:', 'https:'].includes(protocolOf(link) ?? '')

/** `URL` leaves out line ends and tabs, but programs get the link as it is. */
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/

/** Undefined if it is not a URL, is too long or contains a password or a control character. */
function protocolOf(link: string): string | undefined {
  if (link.length > maxLinkLength || controlCharacter.test(link) || !URL.canParse(link)) return undefined
  const { protocol, username, password } = new URL(link)
  return username || password ? undefined : protocol
}

const isInRange = (value: number | undefined, { min, max }: { min: number; max: number }): boolean =>
  value !== undefined && Number.isInteger(value) && value >= min && value <= max

const minMax = ({ min, max }: { min: number; max: number }) => ({ min, max })
