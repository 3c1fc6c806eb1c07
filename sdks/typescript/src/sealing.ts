import {
  createCipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { lengthPrefixed, sessionPart } from './wire.ts'

/**
 * Sealed request bodies: RFC 9180 base mode, one message per key, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and
 * AES-256-GCM. AES-128-GCM is there because the RFC prints a test vector only for it.
 */
export interface Aead {
  id: number
  keyBytes: number
  name: 'aes-128-gcm' | 'aes-256-gcm'
}
export const aes128gcm: Aead = { id: 1, keyBytes: 16, name: 'aes-128-gcm' }
const aes256gcm: Aead = { id: 2, keyBytes: 32, name: 'aes-256-gcm' }

export interface BodyToSeal {
  /** The app's X25519 public key. */
  publicKey: KeyObject
  body: Uint8Array
  /** The request that the body is bound to: it opens in no other. */
  path: string
  app: string
  nonce: string
  time: string
  /** The session token; nothing before `init`. */
  session?: string | undefined
  /** Only for reproducible vectors: a key used twice gives the content away. */
  ephemeralKey?: KeyObject
}

/** What is sent as `application/octet-stream`: encapsulated key, ciphertext, tag. */
export function sealBody({ publicKey, body, ephemeralKey, ...request }: BodyToSeal): Buffer {
  const { path, app, nonce, time, session } = request
  const aad = lengthPrefixed(path, app, nonce, time, sessionPart(session))
  const ephemeral = ephemeralKey ?? generateKeyPairSync('x25519').privateKey
  return seal(publicKey, ephemeral, body, { aead: aes256gcm, info: Buffer.from('signet/v1/request'), aad })
}

interface Context {
  aead: Aead
  info: Uint8Array
  aad: Uint8Array
}

const kemSuite = Buffer.from('4b454d0020', 'hex') // "KEM", X25519
const empty = Buffer.alloc(0)

/** Single-shot SealBase of RFC 9180 §6.1. */
export function seal(recipient: KeyObject, ephemeral: KeyObject, plain: Uint8Array, context: Context): Buffer {
  const encapsulated = rawBytes(createPublicKey(ephemeral))
  const dh = diffieHellman({ privateKey: ephemeral, publicKey: recipient })
  const { key, nonce } = keySchedule(dh, encapsulated, rawBytes(recipient), context)
  const cipher = createCipheriv(context.aead.name, key, nonce).setAAD(context.aad)
  return Buffer.concat([encapsulated, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function keySchedule(dh: Buffer, encapsulated: Uint8Array, recipient: Uint8Array, { aead, info }: Context) {
  const kemContext = Buffer.concat([encapsulated, recipient])
  const shared = expand(kemSuite, extract(kemSuite, empty, 'eae_prk', dh), 'shared_secret', kemContext, 32)
  const suite = Buffer.from([...Buffer.from('HPKE'), 0, 0x20, 0, 1, 0, aead.id])
  const pskIdHash = extract(suite, empty, 'psk_id_hash', empty)
  const context = Buffer.concat([Buffer.from([0]), pskIdHash, extract(suite, empty, 'info_hash', info)])
  const secret = extract(suite, shared, 'secret', empty)
  return {
    key: expand(suite, secret, 'key', context, aead.keyBytes),
    nonce: expand(suite, secret, 'base_nonce', context, 12),
  }
}

/** LabeledExtract of RFC 9180 §4. */
const extract = (suite: Buffer, salt: Buffer, label: string, secret: Uint8Array): Buffer =>
  hmac(salt, Buffer.from('HPKE-v1'), suite, Buffer.from(label), secret)

/** LabeledExpand of RFC 9180 §4, for at most 32 bytes: one block of HKDF-Expand. */
function expand(suite: Buffer, key: Buffer, label: string, info: Uint8Array, length: number): Buffer {
  const labeled = [Buffer.from([0, length]), Buffer.from('HPKE-v1'), suite, Buffer.from(label), info]
  return hmac(key, ...labeled, Buffer.from([1])).subarray(0, length)
}

function hmac(key: Buffer, ...data: Uint8Array[]): Buffer {
  return createHmac('sha256', key).update(Buffer.concat(data)).digest()
}

const rawBytes = (publicKey: KeyObject): Buffer => publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
