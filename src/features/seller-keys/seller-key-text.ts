import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { alphanumeric, randomText } from '#server/random-text.ts'

/**
 * A key is `lk_live_<8 id>_<43 base64url>_<6 check>`. The check is a CRC-32, so that a typing error and
 * a scanner's false alarm are told from a real key without asking the database.
 */

const idLength = 8
const checkLength = 6
const shape = /^(lk_live_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43}))_([A-Za-z0-9]{6})$/
/** `lk_live_ID…last`, `ID…last`, `lk_live_ID` or `ID`; three dots are taken for the ellipsis. */
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

/** A key with a new 256-bit secret: the only time that it exists as text. */
export function newSellerKeyText(id: string): { text: string; secretHash: string; lastFour: string } {
  const secret = randomBytes(32).toString('base64url')
  const body = `lk_live_${id}_${secret}`
  const text = `${body}_${checkOf(body)}`
  return { text, secretHash: secretHashOf(secret), lastFour: text.slice(-4) }
}

/** Null when it can't be a key: wrong shape or wrong check. */
export function parseSellerKey(text: string): SellerKeyText | null {
  const [, body = '', id = '', secret = '', check = ''] = shape.exec(text) ?? []
  return body !== '' && checkOf(body) === check ? { id, secret } : null
}

/** The id in a public form or a bare id; null when it names no key. */
export const idOfReference = (text: string): string | null => reference.exec(text)?.[1] ?? null

/** What lists show of a key. */
export const publicForm = (key: { id: string; last_four: string }): string => `lk_live_${key.id}…${key.last_four}`

/** 256 random bits need no slow hash. */
export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

interface Secrets {
  secret_hash: string
  previous_hash: string | null
  previous_until: number | null
}

/** Whether it is the key's present secret. */
export const isPresentSecretOf = (key: Pick<Secrets, 'secret_hash'>, secret: string): boolean =>
  timingSafeEqual(Buffer.from(secretHashOf(secret)), Buffer.from(key.secret_hash))

/** Whether it is the key's secret, or the one before while its overlap lasts; both are always compared. */
export function isSecretOf(key: Secrets, secret: string, now: number): boolean {
  const hash = Buffer.from(secretHashOf(secret))
  const current = timingSafeEqual(hash, Buffer.from(key.secret_hash))
  const previous = timingSafeEqual(hash, Buffer.from(key.previous_hash ?? key.secret_hash))
  return current || (previous && (key.previous_until ?? 0) > now)
}
