import { createPrivateKey, type KeyObject } from 'node:crypto'

/** The DER prefix of the 32 raw bytes of a private key (RFC 8410). */
const prefix = {
  ed25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
  x25519: Buffer.from('302e020100300506032b656e04220420', 'hex'),
}

/** The private key with this seed (Ed25519) or scalar (X25519) of 32 bytes: the same in each run. */
export function privateKeyFromSeed(curve: keyof typeof prefix, seed: Uint8Array): KeyObject {
  if (seed.length !== 32) throw new TypeError('A seed is 32 bytes.')
  return createPrivateKey({ key: Buffer.concat([prefix[curve], seed]), format: 'der', type: 'pkcs8' })
}
