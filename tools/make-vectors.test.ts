import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkReply, ReplyRefused } from '#features/client-api/protocol/check-reply.ts'
import { CertificateError, readCertificate } from '#features/client-api/protocol/key-certificate.ts'
import {
  privateKeyFromSeed, publicKeyFromRaw, rawPublicKey, type Curve,
} from '#features/client-api/protocol/raw-keys.ts'
import { requestHash } from '#features/client-api/protocol/request-hash.ts'
import { openSealedBody, sealBody, SealedBodyError } from '#features/client-api/protocol/sealed-body.ts'
import { makeVectors, vectorsFolder } from './make-vectors.ts'
import type { certificateVectors, publicKeyVectors } from './vectors/certificate-vectors.ts'
import type { replyVectors } from './vectors/reply-vectors.ts'
import type { requestVectors } from './vectors/request-vectors.ts'
import type { sealedVectors } from './vectors/sealed-vectors.ts'

const text = (name: string) => readFileSync(new URL(name, vectorsFolder), 'utf8')
const bytes = (encoded: string) => Buffer.from(encoded, 'base64url')

test('sdks/vectors is what tools/make-vectors.ts writes', () => {
  const made = makeVectors()
  expect(readdirSync(vectorsFolder).filter((name) => name.endsWith('.json')).toSorted()).toEqual(Object.keys(made).toSorted())
  for (const [name, content] of Object.entries(made)) expect(text(name), name).toBe(content)
})

const requests: ReturnType<typeof requestVectors> = JSON.parse(text('request-hash.json'))
test.each(requests.cases)('request hash: $name', ({ hash, session, body, ...request }) => {
  expect(requestHash({ ...request, session: session ?? undefined, body: bytes(body) }).toString('hex')).toBe(hash)
})

const certificates: ReturnType<typeof certificateVectors> = JSON.parse(text('certificates.json'))
test.each(certificates.cases)('certificate: $name', ({ certificate, fields }) => {
  const root = publicKeyFromRaw('ed25519', certificates.rootPublicKey)
  if (!fields) return expect(() => readCertificate(certificate, root)).toThrow(CertificateError)
  const { publicKey, ...read } = readCertificate(certificate, root)
  expect({ ...read, key: rawPublicKey(publicKey) }).toEqual(fields)
})

const keys: ReturnType<typeof publicKeyVectors> = JSON.parse(text('public-keys.json'))
test.each(keys.cases)('public key: $curve, $name', ({ curve, publicKey, usable }) => {
  const read = () => publicKeyFromRaw(curve as Curve, publicKey)
  if (usable) expect(rawPublicKey(read())).toBe(publicKey)
  else expect(read).toThrow(TypeError)
})

const replies: ReturnType<typeof replyVectors> = JSON.parse(text('replies.json'))
test.each(replies.cases)('reply: $name gives $outcome', ({ status, headers, body, highestSerial, outcome }) => {
  const request = { ...replies.request, body: bytes(replies.request.body) }
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const rootPublicKey = publicKeyFromRaw('ed25519', replies.rootPublicKey)
  let seen = 'accepted'
  try {
    checkReply(request, { status, headers: lower, body: bytes(body) }, { rootPublicKey, highestSerial, now: replies.now })
  } catch (error) {
    if (!(error instanceof ReplyRefused)) throw error
    seen = error.code
  }
  expect(seen).toBe(outcome)
})

const sealedBodies: ReturnType<typeof sealedVectors> = JSON.parse(text('sealed-bodies.json'))
test.each(sealedBodies.cases)('sealed body: $name', ({ sealed, body, name: _, ...place }) => {
  const privateKey = privateKeyFromSeed('x25519', Buffer.from(sealedBodies.recipientKey, 'hex'))
  const open = () => openSealedBody({ ...place, privateKey, sealed: bytes(sealed) })
  if (body === null) return expect(open).toThrow(SealedBodyError)
  expect(open().toString('base64url')).toBe(body)
  const publicKey = publicKeyFromRaw('x25519', sealedBodies.recipientPublicKey)
  const ephemeralKey = privateKeyFromSeed('x25519', Buffer.from(sealedBodies.ephemeralKey, 'hex'))
  expect(sealBody({ ...place, publicKey, ephemeralKey, body: bytes(body) }).toString('base64url')).toBe(sealed)
})
