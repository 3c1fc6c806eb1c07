import { createHmac, timingSafeEqual } from 'node:crypto'

/** Time-based one-time passwords: RFC 6238 with SHA-1, 30 seconds, 6 digits. */

export const stepSeconds = 30
const codeDigits = 6

/** The code of one step; `step` is epoch seconds divided by 30. */
export function totpCode(secret: Buffer, step: number, digits = codeDigits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export const stepAt = (now: number): number => Math.floor(now / stepSeconds)

/** The step of a code: the current one, the previous or the next, to allow for clock skew. `now` in epoch seconds. */
export function matchingStep(secret: Buffer, code: string, now: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const given = Buffer.from(code)
  const current = stepAt(now)
  // All three are compared, so that the timing does not reveal which step matched.
  const matches = [current, current - 1, current + 1].filter((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), given),
  )
  return matches[0]
}

/** Content of the QR code for authenticator apps. */
export function otpauthUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${codeDigits}&period=${stepSeconds}`
  return `otpauth://totp/${label}?${query}`
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding: accepted by authenticator apps and easy to type. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let buffered = 0
  let bits = 0
  for (const byte of bytes) {
    buffered = (buffered << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += base32Alphabet[(buffered >>> (bits - 5)) & 31]
    buffered &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + base32Alphabet[(buffered << (5 - bits)) & 31]
}
