import { expect, test } from 'vitest'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { sealBody } from '#sdk/sealing.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { rawPublicKey } from './raw-keys.ts'
import { openSealedBody, SealedBodyError } from './sealed-body.ts'

const privateKey = privateKeyFromSeed('x25519', Buffer.alloc(32, 1))
const publicKey = await publicKeyFromRaw('x25519', rawPublicKey(privateKey))
const context = {
  path: '/api/1.0/client/login',
  app: 'Ab3dE6gH1j/App',
  nonce: 'n'.repeat(22),
  time: '1750000000000',
  session: 'token',
}
const body = new Uint8Array(Buffer.from('{"username":"alice"}'))
const sealed = await sealBody({ publicKey, body, ...context })

test('opens what was sealed, and no two seals are alike', async () => {
  expect(openSealedBody({ privateKey, sealed, ...context })).toEqual(Buffer.from(body))
  expect(await sealBody({ publicKey, body, ...context })).not.toEqual(sealed)
  const nothing = await sealBody({ publicKey, body: new Uint8Array(), ...context })
  expect(openSealedBody({ privateKey, sealed: nothing, ...context })).toHaveLength(0)
})

test('opens in no other context', () => {
  for (const name of ['path', 'app', 'nonce', 'time', 'session'] as const) {
    const moved = { ...context, [name]: `${context[name]}0` }
    expect(() => openSealedBody({ privateKey, sealed, ...moved }), name).toThrow(SealedBodyError)
  }
  for (const session of [undefined, '', Buffer.alloc(32)]) {
    expect(() => openSealedBody({ privateKey, sealed, ...context, session })).toThrow(SealedBodyError)
  }
})

test('opens with no flipped bit, other key, missing byte or small-order sender', () => {
  const reject = (bytes: Uint8Array, key = privateKey) =>
    expect(() => openSealedBody({ privateKey: key, sealed: bytes, ...context })).toThrow(SealedBodyError)
  for (let at = 0; at < sealed.length; at++) {
    const flipped = Buffer.from(sealed)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    reject(flipped)
  }
  reject(sealed, privateKeyFromSeed('x25519', Buffer.alloc(32, 2)))
  for (const length of [0, 31, 32, 47, sealed.length - 1]) reject(sealed.subarray(0, length))
  reject(Buffer.concat([Buffer.alloc(32), sealed.subarray(32)]))
})
