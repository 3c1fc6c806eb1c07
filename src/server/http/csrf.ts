import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'

export const csrfHeader = 'x-csrf-token'

/**
 * Tokens bound to a session by HMAC and valid as long as it is; one-time tokens would break parallel calls and polling.
 */
export class CsrfTokens {
  readonly #key: KeyObject

  constructor(key: KeyObject) {
    this.#key = key
  }

  issue(binding: string): string {
    return this.#token(randomBytes(16).toString('base64url'), binding)
  }

  isValid(token: string | undefined, binding: string): boolean {
    const [random] = (token ?? '').split('.')
    if (!token || !random) return false
    // Compared as text: after decoding, several spellings would be equal.
    const given = Buffer.from(token)
    const expected = Buffer.from(this.#token(random, binding))
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  #token(random: string, binding: string): string {
    return `${random}.${createHmac('sha256', this.#key).update(`${random}|${binding}`).digest('base64url')}`
  }
}

/** Headers with which browsers mark a cross-site request. */
export function isCrossSite(
  headers: { 'sec-fetch-site'?: string | string[]; origin?: string },
  publicOrigin: string,
  host: string | undefined,
): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin } = headers
  if (origin === undefined || origin === publicOrigin) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
