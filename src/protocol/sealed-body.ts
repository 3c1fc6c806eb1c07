import type { KeyObject } from 'node:crypto'
import { aes256gcm, encapsulatedBytes, open, tagBytes } from './hpke.ts'
import { lengthPrefixed, type Part } from './length-prefixed.ts'
import { rawPublicBytes } from './raw-keys.ts'
import { sessionPart } from './request-hash.ts'

export interface BodyToOpen {
  /** The app's X25519 private key. */
  privateKey: KeyObject
  sealed: Uint8Array
  /** The request that the body is bound to. */
  path: string
  app: Part
  nonce: string
  time: string
  /** The session token or its SHA-256; absent before `init`. */
  session?: string | Uint8Array | undefined
}

/** The same error for every cause, so that the reply tells an attacker nothing. */
export class SealedBodyError extends Error {
  override name = 'SealedBodyError'
}

const info = Buffer.from('signet/v1/request')
const publicBytesOf = new WeakMap<KeyObject, Buffer>()

/** One-time key of the sender: two bodies with the same key are the same body, or were sealed incorrectly. */
export const encapsulatedKeyOf = (sealed: Buffer): string => sealed.toString('base64url', 0, encapsulatedBytes)

/** @throws {SealedBodyError} if the body was not sealed to this key for exactly this request */
export function openSealedBody({ privateKey, sealed, ...request }: BodyToOpen): Buffer {
  try {
    if (sealed.length < encapsulatedBytes + tagBytes) throw new RangeError('Too short.')
    let publicBytes = publicBytesOf.get(privateKey)
    if (!publicBytes) publicBytesOf.set(privateKey, (publicBytes = rawPublicBytes(privateKey)))
    const { path, app, nonce, time, session } = request
    const aad = lengthPrefixed(path, app, nonce, time, sessionPart(session))
    const context = { aead: aes256gcm, info, aad }
    return open(privateKey, publicBytes, sealed, context)
  } catch (cause) {
    throw new SealedBodyError('The sealed body cannot be opened.', { cause })
  }
}
