import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { alphanumeric, randomText } from '#server/secrets/random-text.ts'

/**
 * A key is `lk_live_<8 id>_<43 base64url>_<6 check>`. The check is a CRC-32: it rules out typing errors and false
 * positives of secret scanners without a database query.
 */

const idLength = 8
const checkLength = 6
const shape = /^(lk_live_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43}))_([A-Za-z0-9]{6})$/
/** `lk_live_ID…last`, `ID…last`, `lk_live_ID` or `ID`; three dots count as the ellipsis. */
const reference = /^(?:lk_live_)?([A-Za-z0-9]{8})(?:(?:…|_?\.\.\.)[A-Za-z0-9]{4})?$/

export interface SellerKeyText {
  id: string
  secret: string
}

function checkOf(text: string): string {
  let rest = crc32(text)
  let check = ''
  for (let at = 0; at < checkLength; at++) {
    check = alphanumeric[rest % alphanumeric.length] + check
    rest = Math.floor(rest / alphanumeric.length)
  }
  return check
}

export const newKeyId = (): string => randomText(idLength)

/** Creates a key with a new 256-bit secret. Its plain text exists only here and is not stored. */
export function newSellerKeyText(id: string): { text: string; secretHash: string; lastFour: string } {
  const secret = randomBytes(32).toString('base64url')
  const body = `lk_live_${id}_${secret}`
  const text = `${body}_${checkOf(body)}`
  return { text, secretHash: secretHashOf(secret), lastFour: text.slice(-4) }
}

/** Null if it cannot be a key: wrong format or wrong check. */
export function parseSellerKey(text: string): SellerKeyText | null {
  const [, body = '', id = '', secret = '', check = ''] = shape.exec(text) ?? []
  return body !== '' && checkOf(body) === check ? { id, secret } : null
}

/** Extracts the ID from a public form or a bare ID; null if the text is neither. */
export const idOfReference = (text: string): string | null => reference.exec(text)?.[1] ?? null

/** The form of a key shown in lists. */
export const publicForm = (key: { id: string; last_four: string }): string => `lk_live_${key.id}…${key.last_four}`

/** A fast hash is enough for 256 random bits. */
export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

interface Secrets {
  secret_hash: string
  previous_hash: string | null
  previous_until: number | null
}

/** Whether this is the key's current secret. */
export const isPresentSecretOf = (key: Pick<Secrets, 'secret_hash'>, secret: string): boolean =>
  timingSafeEqual(Buffer.from(secretHashOf(secret)), Buffer.from(key.secret_hash))

/** Whether this is the current secret, or the previous one during the overlap. Always compares both. */
export function isSecretOf(key: Secrets, secret: string, now: number): boolean {
  const hash = Buffer.from(secretHashOf(secret))
  const current = timingSafeEqual(hash, Buffer.from(key.secret_hash))
  const previous = timingSafeEqual(hash, Buffer.from(key.previous_hash ?? key.secret_hash))
  return current || (previous && (key.previous_until ?? 0) > now)
}
