import { createPublicKey, KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { CertificateError, readCertificate } from '#sdk/key-certificate.ts'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { issueCertificate } from './key-certificate.ts'
import { rawPublicKey } from './raw-keys.ts'

const rootKey = privateKeyFromSeed('ed25519', Buffer.alloc(32, 1))
const signingKey = createPublicKey(privateKeyFromSeed('ed25519', Buffer.alloc(32, 2)))
const pinned = await publicKeyFromRaw('ed25519', rawPublicKey(rootKey))
const terms = { kid: 'k1', serial: 4, notBefore: 1_750_000_000, notAfter: 1_760_000_000 }

test('a client that pins the root key reads back what it vouched for', async () => {
  const certificate = issueCertificate({ rootKey, publicKey: signingKey, ...terms })
  const { publicKey, ...read } = (await readCertificate(certificate, pinned)).certificate
  expect(read).toEqual(terms)
  expect(rawPublicKey(KeyObject.from(publicKey))).toBe(rawPublicKey(signingKey))
})

test('a client that pins another root key refuses it', async () => {
  const other = privateKeyFromSeed('ed25519', Buffer.alloc(32, 9))
  const forged = issueCertificate({ rootKey: other, publicKey: signingKey, ...terms })
  await expect(readCertificate(forged, pinned)).rejects.toThrow(CertificateError)
})
