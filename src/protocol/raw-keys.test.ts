import { KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { rawPublicKey } from './raw-keys.ts'

test.each(['ed25519', 'x25519'] as const)('%s keys go to 43 characters, and a client reads them', async (curve) => {
  for (let round = 0; round < 20; round++) {
    const raw = rawPublicKey(privateKeyFromSeed(curve, Buffer.alloc(32, round + 1)))
    expect(raw).toMatch(/^[\w-]{43}$/)
    expect(rawPublicKey(KeyObject.from(await publicKeyFromRaw(curve, raw)))).toBe(raw)
  }
})

test('agrees with RFC 8032 §7.1 test 1', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const publicKey = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex')
  expect(rawPublicKey(privateKeyFromSeed('ed25519', seed))).toBe(publicKey.toString('base64url'))
})
