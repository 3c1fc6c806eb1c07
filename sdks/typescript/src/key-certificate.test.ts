import { generateKeyPairSync, KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { CertificateError, readCertificate } from './key-certificate.ts'
import { publicKeyFromRaw } from './public-keys.ts'
import { lengthPrefixed } from './wire.ts'

const rawOf = (key: KeyObject) => key.export({ format: 'jwk' }).x as string

const root = generateKeyPairSync('ed25519')
const rootPublicKey = await publicKeyFromRaw('ed25519', rawOf(root.publicKey))
const signingKey = generateKeyPairSync('ed25519').publicKey
const terms = { kid: 'k1', serial: 4, notBefore: 1_750_000_000, notAfter: 1_760_000_000 }
const fields = { v: 1, key: rawOf(signingKey), ...terms }

function signed(payload: string, { key = root.privateKey, domain = 'signet/v1/key' } = {}): string {
  const bytes = Buffer.from(payload)
  return `${bytes.toString('base64url')}.${sign(null, lengthPrefixed(domain, bytes), key).toString('base64url')}`
}

const certificate = signed(JSON.stringify(fields))

test('reads the fields that the root key certified', async () => {
  const { publicKey, ...read } = (await readCertificate(certificate, rootPublicKey)).certificate
  expect(read).toEqual(terms)
  expect(rawOf(KeyObject.from(publicKey))).toBe(rawOf(signingKey))
})

test('no single changed character is accepted (R-CLI-02)', async () => {
  for (let at = 0; at < certificate.length; at++) {
    const changed = certificate[at] === 'A' ? 'B' : 'A'
    const text = certificate.slice(0, at) + changed + certificate.slice(at + 1)
    await expect(readCertificate(text, rootPublicKey), `character ${at}`).rejects.toThrow(CertificateError)
  }
})

test('rejects another root key, and a signature made for another purpose', async () => {
  const payload = JSON.stringify(fields)
  for (const forged of [
    signed(payload, { key: generateKeyPairSync('ed25519').privateKey }),
    signed(payload, { domain: 'signet/v1/response' }),
  ]) {
    await expect(readCertificate(forged, rootPublicKey)).rejects.toThrow('root key')
  }
})

test.each([
  ['nothing', ''],
  ['a part too many', `${certificate}.AAAA`],
  ['padding', `${certificate}==`],
  ['another version', signed(JSON.stringify({ ...fields, v: 2 }))],
  ['a fraction', signed(JSON.stringify({ ...fields, serial: 1.5 }))],
  ['no key', signed(JSON.stringify({ v: 1, ...terms }))],
  ['a small-order key', signed(JSON.stringify({ ...fields, key: `AQ${'A'.repeat(41)}` }))],
  ['not JSON', signed('{')],
  ['null', signed('null')],
])('rejects %s, even with a valid signature', async (_, text) => {
  await expect(readCertificate(text, rootPublicKey)).rejects.toThrow(CertificateError)
})
