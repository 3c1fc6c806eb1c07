import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { aes256gcm, encapsulatedBytes, open, seal, tagBytes } from './hpke.ts'
import { lengthPrefixed, type Part } from './length-prefixed.ts'
import { rawPublicBytes } from './raw-keys.ts'

interface Place {
  path: string
  app: Part
  nonce: string
  time: string
}

export interface BodyToOpen extends Place {
  /** The app's X25519 private key. */
  privateKey: KeyObject
  sealed: Uint8Array
}

export interface BodyToSeal extends Place {
  publicKey: KeyObject
  body: Uint8Array
  /** Only for reproducible vectors: a key used twice gives the content away. */
  ephemeralKey?: KeyObject
}

/** One error for every cause, so the answer tells an attacker nothing. */
export class SealedBodyError extends Error {
  override name = 'SealedBodyError'
}

const info = Buffer.from('signet/v1/request')
const publicBytesOf = new WeakMap<KeyObject, Buffer>()

function contextOf({ path, app, nonce, time }: Place) {
  return { aead: aes256gcm, info, aad: lengthPrefixed(path, app, nonce, time) }
}

/** @throws {SealedBodyError} when the body was not sealed to this key for exactly this request */
export function openSealedBody({ privateKey, sealed, ...place }: BodyToOpen): Buffer {
  try {
    if (sealed.length < encapsulatedBytes + tagBytes) throw new RangeError('Too short.')
    let publicBytes = publicBytesOf.get(privateKey)
    if (!publicBytes) publicBytesOf.set(privateKey, (publicBytes = rawPublicBytes(privateKey)))
    return open(privateKey, publicBytes, sealed, contextOf(place))
  } catch (cause) {
    throw new SealedBodyError('The sealed body cannot be opened.', { cause })
  }
}

/** What an SDK sends as `application/octet-stream`: encapsulated key, ciphertext, tag. */
export function sealBody({ publicKey, body, ephemeralKey, ...place }: BodyToSeal): Buffer {
  return seal(publicKey, ephemeralKey ?? generateKeyPairSync('x25519').privateKey, body, contextOf(place))
}
