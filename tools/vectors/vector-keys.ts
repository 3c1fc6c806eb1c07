import { createPublicKey } from 'node:crypto'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'

/** Fixed keys, so that the vectors are identical on all machines. They protect nothing. */
export const rootKey = privateKeyFromSeed('ed25519', Buffer.alloc(32, 0x11))
export const otherRootKey = privateKeyFromSeed('ed25519', Buffer.alloc(32, 0x12))
export const signingKey = privateKeyFromSeed('ed25519', Buffer.alloc(32, 0x21))
export const otherSigningKey = privateKeyFromSeed('ed25519', Buffer.alloc(32, 0x22))
export const recipientKey = privateKeyFromSeed('x25519', Buffer.alloc(32, 0x31))
const ephemeral = privateKeyFromSeed('x25519', Buffer.alloc(32, 0x32))
export const ephemeralKey = {
  privateKey: ephemeral.toCryptoKey('X25519', false, ['deriveBits']),
  publicKey: createPublicKey(ephemeral).toCryptoKey('X25519', true, []),
}
export const rootPublicKey = rawPublicKey(rootKey)

export const app = 'Ab3dE6gH1j/My%20App'
export const otherApp = 'Ab3dE6gH1j/Other%20App'
export const token = Buffer.alloc(32, 0x41).toString('base64url')
export const now = 1_750_000_000_000
export const notBefore = 1_749_000_000
export const notAfter = 1_760_000_000

export const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')
