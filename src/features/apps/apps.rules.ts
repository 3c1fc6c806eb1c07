/** What an app may be called and how it may be set (part 2 §5, part 1 §5 App settings). */

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
export const maximumDescriptionLength = 500

export function appNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'App name is required'
  if (name.trim().length < 3) return 'App name must be at least 3 characters long'
  if (name.trim().length > 50) return 'App name must be less than 50 characters'
  if (!/^[A-Za-z0-9 _-]+$/.test(name)) {
    return 'App name can only contain letters, numbers, spaces, hyphens, and underscores'
  }
  return undefined
}

export function descriptionProblem(description: string): string | undefined {
  if (description.length > maximumDescriptionLength) return 'Description must be at most 500 characters'
  return undefined
}

/** Links are given to programs as they are, so only plain web addresses pass. Empty means none. */
export function linkProblem(link: string, name: string, options: { httpsOnly?: boolean } = {}): string | undefined {
  if (link === '') return undefined
  const problem = `${name} must be a valid URL`
  if (link.length > 2000 || !URL.canParse(link)) return problem
  const { protocol, username, password } = new URL(link)
  if (username || password) return problem
  if (protocol === 'https:' || (protocol === 'http:' && !options.httpsOnly)) return undefined
  return options.httpsOnly ? `${name} must be an https:// URL` : problem
}

/** A SHA-256 in hex, as the client sends for `hash_check`. */
export function hashProblem(hash: string, required: boolean): string | undefined {
  if (hash === '') return required ? 'Hash to check is required while hash check is on' : undefined
  return /^[0-9a-fA-F]{64}$/.test(hash) ? undefined : 'Hash to check must be a SHA-256 in hexadecimal (64 characters)'
}

export const versionProblem = (version: string): string | undefined =>
  /^[A-Za-z0-9._+-]{1,32}$/.test(version) ? undefined : 'Version can have up to 32 letters, digits, dots and hyphens'
