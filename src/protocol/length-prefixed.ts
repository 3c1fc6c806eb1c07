export type Part = string | Uint8Array

/**
 * Each part preceded by its length as 4 big-endian bytes; text as UTF-8. No two different lists of
 * parts give the same bytes, which is what makes it safe to hash or sign.
 */
export function lengthPrefixed(...parts: Part[]): Buffer {
  let total = 4 * parts.length
  for (const part of parts) total += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  const bytes = Buffer.allocUnsafe(total)
  let at = 0
  for (const part of parts) {
    const length = typeof part === 'string' ? bytes.write(part, at + 4) : part.length
    if (typeof part !== 'string') bytes.set(part, at + 4)
    at = bytes.writeUInt32BE(length, at) + length
  }
  return bytes
}
