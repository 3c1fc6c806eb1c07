import { expect, test } from 'vitest'
import { publicKeyFromRaw } from './public-keys.ts'
import { aes128gcm, seal, sealBody } from './sealing.ts'
import { concat, hexOf } from './wire.ts'
import { keyPairOf } from '../conformance-vectors.ts'

const publicKey = (await keyPairOf('32'.repeat(32))).publicKey

test('no two sealed bodies are alike', async () => {
  const request = { path: '/api/1.0/client/login', app: 'Ab3dE6gH1j/App', nonce: 'n'.repeat(22), time: '1750000000000' }
  const body = { ...request, publicKey, body: concat('{}') }
  expect(await sealBody(body)).not.toEqual(await sealBody(body))
  expect(await sealBody(body)).toHaveLength(32 + 2 + 16)
})

test('RFC 9180 appendix A.1.1, sequence number 0', async () => {
  const recipient = Buffer.from('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d', 'hex')
  const ephemeral = await keyPairOf('52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736')
  const enc = '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'
  const ciphertext = 'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a'
  const context = { aead: aes128gcm, info: concat('Ode on a Grecian Urn'), aad: concat('Count-0') }
  const key = await publicKeyFromRaw('x25519', recipient.toString('base64url'))
  const sealed = await seal(key, ephemeral, concat('Beauty is truth, truth beauty'), context)
  expect(hexOf(sealed)).toBe(enc + ciphertext)
})
