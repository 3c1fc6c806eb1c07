import { type Bytes, concat, lengthPrefixed, sessionPart, type WebKey } from './wire.ts'

/**
 * Sealed request bodies: RFC 9180 base mode, one message per key, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and
 * AES-256-GCM. AES-128-GCM is there because the RFC prints a test vector only for it.
 */
export interface Aead {
  id: number
  keyBytes: number
}
export const aes128gcm: Aead = { id: 1, keyBytes: 16 }
const aes256gcm: Aead = { id: 2, keyBytes: 32 }

export interface BodyToSeal {
  /** The app's X25519 public key. */
  publicKey: WebKey
  body: Bytes
  /** The request that the body is bound to: it opens in no other. */
  path: string
  app: string
  nonce: string
  time: string
  /** The session token; nothing before `init`. */
  session?: string | undefined
  /** Only for reproducible vectors: a key used twice gives the content away. */
  ephemeralKey?: EphemeralKey | undefined
}

export interface EphemeralKey {
  privateKey: WebKey
  publicKey: WebKey
}

/** What is sent as `application/octet-stream`: encapsulated key, ciphertext, tag. */
export async function sealBody({ publicKey, body, ephemeralKey, ...request }: BodyToSeal): Promise<Bytes> {
  const { path, app, nonce, time, session } = request
  const aad = lengthPrefixed(path, app, nonce, time, await sessionPart(session))
  const ephemeral = ephemeralKey ?? (await newEphemeralKey())
  return seal(publicKey, ephemeral, body, { aead: aes256gcm, info: concat('signet/v1/request'), aad })
}

const newEphemeralKey = async (): Promise<EphemeralKey> =>
  (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as EphemeralKey

interface Context {
  aead: Aead
  info: Bytes
  aad: Bytes
}

const kemSuite = concat('KEM', Uint8Array.of(0, 0x20)) // X25519
const empty = new Uint8Array()

/** Single-shot SealBase of RFC 9180 §6.1. */
export async function seal(
  recipient: WebKey,
  { privateKey, publicKey }: EphemeralKey,
  plain: Bytes,
  context: Context,
): Promise<Bytes> {
  const encapsulated = await rawBytes(publicKey)
  const dh = await crypto.subtle.deriveBits({ name: 'X25519', public: recipient }, privateKey, 256)
  const { key, iv } = await keySchedule(new Uint8Array(dh), encapsulated, await rawBytes(recipient), context)
  const aesKey = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: context.aad }, aesKey, plain)
  return concat(encapsulated, new Uint8Array(sealed))
}

async function keySchedule(dh: Bytes, encapsulated: Bytes, recipient: Bytes, { aead, info }: Context) {
  const kemContext = concat(encapsulated, recipient)
  const shared = await expand(kemSuite, await extract(kemSuite, empty, 'eae_prk', dh), 'shared_secret', kemContext, 32)
  const suite = concat('HPKE', Uint8Array.of(0, 0x20, 0, 1, 0, aead.id))
  const pskIdHash = await extract(suite, empty, 'psk_id_hash', empty)
  const context = concat(Uint8Array.of(0), pskIdHash, await extract(suite, empty, 'info_hash', info))
  const secret = await extract(suite, shared, 'secret', empty)
  return {
    key: await expand(suite, secret, 'key', context, aead.keyBytes),
    iv: await expand(suite, secret, 'base_nonce', context, 12),
  }
}

/** LabeledExtract of RFC 9180 §4. */
const extract = (suite: Bytes, salt: Bytes, label: string, secret: Bytes): Promise<Bytes> =>
  // WebCrypto takes no empty key; HMAC pads keys with zeros, so one zero is the same key.
  hmac(salt.length === 0 ? Uint8Array.of(0) : salt, concat('HPKE-v1', suite, label, secret))

/** LabeledExpand of RFC 9180 §4, for at most 32 bytes: one block of HKDF-Expand. */
async function expand(suite: Bytes, key: Bytes, label: string, info: Bytes, length: number): Promise<Bytes> {
  const labeled = concat(Uint8Array.of(0, length), 'HPKE-v1', suite, label, info, Uint8Array.of(1))
  return (await hmac(key, labeled)).slice(0, length)
}

async function hmac(key: Bytes, data: Bytes): Promise<Bytes> {
  const hmacKey = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmacKey, data))
}

const rawBytes = async (publicKey: WebKey): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
