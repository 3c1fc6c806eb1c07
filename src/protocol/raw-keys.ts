import { createPublicKey, type KeyObject } from 'node:crypto'

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
  const x = Buffer.from(bytes).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
}
