import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publicKeyFromRaw } from './public-keys.ts'
import { aes128gcm, seal, sealBody } from './sealing.ts'

/** The X25519 private key of a hex scalar (RFC 8410). */
const privateKeyOf = (scalar: string) =>
  createPrivateKey({
    key: Buffer.from(`302e020100300506032b656e04220420${scalar}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  })

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
const publicKey = publicKeyFromRaw('x25519', vectors.recipientPublicKey)
const openable = vectors.cases.filter((each): each is Case & { body: string } => each.body !== null)

test.each(openable)('sealed body: $name', ({ sealed, body, session, ...request }) => {
  const ephemeralKey = privateKeyOf(vectors.ephemeralKey)
  const made = sealBody({
    ...request,
    session: session ?? undefined,
    publicKey,
    ephemeralKey,
    body: Buffer.from(body, 'base64url'),
  })
  expect(made.toString('base64url')).toBe(sealed)
})

test('no two sealed bodies are alike', () => {
  const request = { path: '/api/1.0/client/login', app: 'Ab3dE6gH1j/App', nonce: 'n'.repeat(22), time: '1750000000000' }
  const body = { ...request, publicKey, body: Buffer.from('{}') }
  expect(sealBody(body)).not.toEqual(sealBody(body))
  const { publicKey: other } = generateKeyPairSync('x25519')
  expect(sealBody({ ...body, publicKey: other })).toHaveLength(32 + 2 + 16)
})

test('RFC 9180 appendix A.1.1, sequence number 0', () => {
  const recipient = Buffer.from('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d', 'hex')
  const ephemeral = privateKeyOf('52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736')
  const enc = '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'
  const ciphertext = 'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a'
  const context = { aead: aes128gcm, info: Buffer.from('Ode on a Grecian Urn'), aad: Buffer.from('Count-0') }
  const key = publicKeyFromRaw('x25519', recipient.toString('base64url'))
  const sealed = seal(key, ephemeral, Buffer.from('Beauty is truth, truth beauty'), context)
  expect(sealed.toString('hex')).toBe(enc + ciphertext)
})
