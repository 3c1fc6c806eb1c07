import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkReply, ReplyRefused } from '#protocol/check-reply.ts'
import { CertificateError, readCertificate } from '#protocol/key-certificate.ts'
import { privateKeyFromSeed, publicKeyFromRaw, rawPublicKey, type Curve } from '#protocol/raw-keys.ts'
import { requestHash } from '#protocol/request-hash.ts'
import { openSealedBody, sealBody, SealedBodyError } from '#protocol/sealed-body.ts'
import { makeVectors, vectorsFolder } from './make-vectors.ts'
import type { certificateVectors, publicKeyVectors } from './vectors/certificate-vectors.ts'
import type { replyVectors } from './vectors/reply-vectors.ts'
import type { requestVectors } from './vectors/request-vectors.ts'
import type { sealedVectors } from './vectors/sealed-vectors.ts'

const text = (name: string) => readFileSync(new URL(name, vectorsFolder), 'utf8')
const bytes = (encoded: string) => Buffer.from(encoded, 'base64url')

test('sdks/vectors is what tools/make-vectors.ts writes', () => {
  const made = makeVectors()
  const present = readdirSync(vectorsFolder).filter((name) => name.endsWith('.json'))
  expect(present.toSorted()).toEqual(Object.keys(made).toSorted())
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
  const trust = { rootPublicKey, highestSerial, now: replies.now }
  let seen = 'accepted'
  try {
    checkReply(request, { status, headers: lower, body: bytes(body) }, trust)
  } catch (error) {
    if (!(error instanceof ReplyRefused)) throw error
    seen = error.code
  }
  expect(seen).toBe(outcome)
})

test('docs/protocol.md works its example with the values of the vectors', () => {
  const doc = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')
  const {
    request,
    rootPublicKey,
    cases: [example],
  } = replies
  if (!example) throw new Error('There is no first reply.')
  const hash = requestHash({ ...request, body: bytes(request.body) }).toString('hex')
  const sent = Object.entries(example.headers).map(([name, value]) => `${name}: ${value}\n`)
  const shown = [request.path, request.app, request.nonce, request.time, request.session, rootPublicKey, hash]
  for (const text of [...shown, ...sent, bytes(example.body).toString()]) expect(doc).toContain(text)
})

const sealedBodies: ReturnType<typeof sealedVectors> = JSON.parse(text('sealed-bodies.json'))
test.each(sealedBodies.cases)('sealed body: $name', ({ sealed, body, path, app, nonce, time }) => {
  const place = { path, app, nonce, time }
  const privateKey = privateKeyFromSeed('x25519', Buffer.from(sealedBodies.recipientKey, 'hex'))
  const open = () => openSealedBody({ ...place, privateKey, sealed: bytes(sealed) })
  if (body === null) return expect(open).toThrow(SealedBodyError)
  expect(open().toString('base64url')).toBe(body)
  const publicKey = publicKeyFromRaw('x25519', sealedBodies.recipientPublicKey)
  const ephemeralKey = privateKeyFromSeed('x25519', Buffer.from(sealedBodies.ephemeralKey, 'hex'))
  expect(sealBody({ ...place, publicKey, ephemeralKey, body: bytes(body) }).toString('base64url')).toBe(sealed)
})
