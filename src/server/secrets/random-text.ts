import { randomBytes } from 'node:crypto'

export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const digits = '0123456789'
export const alphanumeric = letters + letters.toLowerCase() + digits

/** `length` characters of `alphabet` (at most 256), each equally likely. */
export function randomText(length: number, alphabet = alphanumeric): string {
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length + 16)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
