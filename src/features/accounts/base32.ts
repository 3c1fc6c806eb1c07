const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding: what authenticator apps take and people can type. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31]
}
