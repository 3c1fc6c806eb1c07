/**
 * The number of a code in languages whose enumerations are numbers: the 31-bit FNV-1a hash of its name. It stays the
 * same when other codes are added, so programs compiled earlier still compare the right ones.
 */
export function codeNumber(code: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(code)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash & 0x7fffffff
}
