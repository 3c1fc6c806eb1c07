import type { KeyObject } from 'node:crypto'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { rawPublicKey } from '#protocol/raw-keys.ts'

/** Fixed keys: they protect nothing. */
const key = (byte: number): KeyObject => privateKeyFromSeed('ed25519', Buffer.alloc(32, byte))
export const rootKey = key(0x51)
export const otherRootKey = key(0x52)
/** Keys that replace the root key, one after the other. */
export const laterRootKeys = [key(0x53), key(0x54), key(0x55), key(0x56), key(0x57)] as const
export const signingKeys = [key(0x61), key(0x62), key(0x63), key(0x64)] as const
export const strangerKey = key(0x71)
export const sealingKey = privateKeyFromSeed('x25519', Buffer.alloc(32, 0x81))
export const verificationKeyText = rawPublicKey(rootKey)
export const sealingKeyText = rawPublicKey(sealingKey)

/** How a server signs. */
export interface Identity {
  root: KeyObject
  /** Of the root keys before, the oldest first. */
  announcements: readonly string[]
  signing: KeyObject
  kid: string
  serial: number
  /** Epoch seconds. */
  notBefore: number
  notAfter: number
}

const day = 86_400
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** The app's signing key of the given generation: 0 is the first, and starts with serial 7. */
export function generation(n: number): Identity {
  return {
    root: rootKey,
    announcements: [],
    signing: signingKeys[n % signingKeys.length] as KeyObject,
    kid: `k${n + 1}`,
    serial: 7 + n,
    notBefore: nowSeconds() - 30 * day,
    notAfter: nowSeconds() + 60 * day,
  }
}
