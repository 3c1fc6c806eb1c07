import { sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { CertificateError, issueCertificate, readCertificate } from './key-certificate.ts'
import { lengthPrefixed } from './length-prefixed.ts'
import { privateKeyFromSeed, publicKeyFromRaw, rawPublicKey } from './raw-keys.ts'

const rootKey = privateKeyFromSeed('ed25519', Buffer.alloc(32, 1))
const root = publicKeyFromRaw('ed25519', rawPublicKey(rootKey))
const signingKey = privateKeyFromSeed('ed25519', Buffer.alloc(32, 2))
const terms = { kid: 'k1', serial: 4, notBefore: 1_750_000_000, notAfter: 1_760_000_000 }
const certificate = issueCertificate({ rootKey, publicKey: signingKey, ...terms })

function signed(payload: string): string {
  const bytes = Buffer.from(payload)
  const signature = sign(null, lengthPrefixed('signet/v1/key', bytes), rootKey)
  return `${bytes.toString('base64url')}.${signature.toString('base64url')}`
}

test('reads back what the root vouched for', () => {
  const { publicKey, ...read } = readCertificate(certificate, root)
  expect(read).toEqual(terms)
  expect(rawPublicKey(publicKey)).toBe(rawPublicKey(signingKey))
})

test('a key may be given as an object or as raw bytes, with the same certificate', () => {
  expect(issueCertificate({ rootKey, publicKey: rawPublicKey(signingKey), ...terms })).toBe(certificate)
})

test('no single changed character is accepted', () => {
  for (let at = 0; at < certificate.length; at++) {
    const changed = certificate[at] === 'A' ? 'B' : 'A'
    const text = certificate.slice(0, at) + changed + certificate.slice(at + 1)
    expect(() => readCertificate(text, root), `character ${at}`).toThrow(CertificateError)
  }
})

test('another root, or a signature made for another purpose, is refused', () => {
  const other = privateKeyFromSeed('ed25519', Buffer.alloc(32, 9))
  const forged = issueCertificate({ rootKey: other, publicKey: signingKey, ...terms })
  expect(() => readCertificate(forged, root)).toThrow('root key')
  const payload = Buffer.from(certificate.split('.')[0] ?? '', 'base64url')
  const signature = sign(null, lengthPrefixed('signet/v1/response', payload), rootKey).toString('base64url')
  expect(() => readCertificate(`${payload.toString('base64url')}.${signature}`, root)).toThrow('root key')
})

test.each([
  ['nothing', ''],
  ['a part too many', `${certificate}.AAAA`],
  ['padding', `${certificate}==`],
  ['another version', signed(JSON.stringify({ v: 2, key: rawPublicKey(signingKey), ...terms }))],
  ['a fraction', signed(JSON.stringify({ v: 1, key: rawPublicKey(signingKey), ...terms, serial: 1.5 }))],
  ['no key', signed(JSON.stringify({ v: 1, ...terms }))],
  ['a small-order key', signed(JSON.stringify({ v: 1, key: `AQ${'A'.repeat(41)}`, ...terms }))],
  ['not JSON', signed('{')],
  ['null', signed('null')],
])('refuses %s, even with a good signature', (_, text) => {
  expect(() => readCertificate(text, root)).toThrow(CertificateError)
})
