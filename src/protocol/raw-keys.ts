import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'
import { isUsableEd25519Point } from './ed25519-point.ts'

export type Curve = 'ed25519' | 'x25519'

/** What DER puts before the 32 raw bytes of a key (RFC 8410). */
const publicPrefix = {
  ed25519: Buffer.from('302a300506032b6570032100', 'hex'),
  x25519: Buffer.from('302a300506032b656e032100', 'hex'),
}
const privatePrefix = {
  ed25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
  x25519: Buffer.from('302e020100300506032b656e04220420', 'hex'),
}
const trialKey = privateKeyFromSeed('x25519', Buffer.alloc(32, 1))

/** base64url without padding, refusing every spelling but the one its bytes encode to; else undefined. */
export function strictBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** The 32 raw bytes of a key's public half, base64url. */
export function rawPublicKey(key: KeyObject): string {
  return rawPublicBytes(key).toString('base64url')
}

export function rawPublicBytes(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
}

/** @throws {TypeError} on a wrong length or spelling, a point off the curve or one of small order */
export function publicKeyFromRaw(curve: Curve, raw: string | Uint8Array): KeyObject {
  const bytes = typeof raw === 'string' ? strictBase64url(raw) : raw
  if (bytes?.length !== 32) throw new TypeError(`An ${curve} public key is 32 bytes in base64url.`)
  const key = importPublicKey(curve, bytes)
  if (curve === 'ed25519' ? !isUsableEd25519Point(bytes) : !isUsableX25519(key, bytes)) {
    throw new TypeError(`These bytes are no usable ${curve} public key.`)
  }
  return key
}

/** Unchecked: for an X25519 key that goes straight into `diffieHellman`, which does its own refusing. */
export function importPublicKey(curve: Curve, bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix[curve], bytes]), format: 'der', type: 'spki' })
}

/** The private key whose seed (Ed25519) or scalar (X25519) are these 32 bytes. */
export function privateKeyFromSeed(curve: Curve, seed: Uint8Array): KeyObject {
  if (seed.length !== 32) throw new TypeError('A seed is 32 bytes.')
  return createPrivateKey({ key: Buffer.concat([privatePrefix[curve], seed]), format: 'der', type: 'pkcs8' })
}

/** RFC 7748 scalars are multiples of 8, so any one of them shows a small-order point: OpenSSL refuses the zero. */
function isUsableX25519(key: KeyObject, bytes: Uint8Array): boolean {
  if ((bytes[31] ?? 0) > 0x7f) return false
  try {
    diffieHellman({ privateKey: trialKey, publicKey: key })
    return true
  } catch {
    return false
  }
}
