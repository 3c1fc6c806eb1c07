import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publicKeyFromRaw } from './public-keys.ts'
import { aes128gcm, type EphemeralKey, seal, sealBody } from './sealing.ts'
import { concat, encodeBase64url, hexOf } from './wire.ts'

/** The X25519 key pair of a hex scalar (RFC 8410). */
async function keyPairOf(scalar: string): Promise<EphemeralKey> {
  const der = Buffer.from(`302e020100300506032b656e04220420${scalar}`, 'hex')
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  return {
    privateKey: await crypto.subtle.importKey('pkcs8', new Uint8Array(der), 'X25519', false, ['deriveBits']),
    publicKey: await publicKeyFromRaw('x25519', publicKey.export({ format: 'jwk' }).x as string),
  }
}

interface Case {
  name: string
  path: string
  app: string
  nonce: string
  time: string
  session: string | null
  sealed: string
  body: string | null
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/sealed-bodies.json', import.meta.url), 'utf8')) as {
  recipientPublicKey: string
  ephemeralKey: string
  cases: Case[]
}
const publicKey = await publicKeyFromRaw('x25519', vectors.recipientPublicKey)
const openable = vectors.cases.filter((each): each is Case & { body: string } => each.body !== null)

test.each(openable)('sealed body: $name', async ({ sealed, body, session, ...request }) => {
  const ephemeralKey = await keyPairOf(vectors.ephemeralKey)
  const made = await sealBody({
    ...request,
    session: session ?? undefined,
    publicKey,
    ephemeralKey,
    body: new Uint8Array(Buffer.from(body, 'base64url')),
  })
  expect(encodeBase64url(made)).toBe(sealed)
})

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
