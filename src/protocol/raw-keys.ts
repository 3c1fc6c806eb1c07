import { createPublicKey, type KeyObject } from 'node:crypto'

/** DER prefix of the 32 raw bytes of an X25519 public key (RFC 8410). */
const x25519Prefix = Buffer.from('302a300506032b656e032100', 'hex')

/** The 32 raw bytes of a key's public half, base64url. */
export function rawPublicKey(key: KeyObject): string {
  return rawPublicBytes(key).toString('base64url')
}

export function rawPublicBytes(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
}

/** Does not validate the key: `diffieHellman` rejects unusable keys itself. */
export function importX25519PublicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([x25519Prefix, bytes]), format: 'der', type: 'spki' })
}
