import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leafHash } from '#protocol/merkle-tree.ts'
import { replyMessage } from '#protocol/reply-message.ts'
import { requestHash } from '#protocol/request-hash.ts'
import { openSealedBody, SealedBodyError } from '#protocol/sealed-body.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { makeVectors, vectorsFolder } from './make-vectors.ts'
import type { appNameVectors } from './vectors/app-name-vectors.ts'
import type { keyVectors } from './vectors/key-vectors.ts'
import type { replyVectors } from './vectors/reply-vectors.ts'
import type { requestVectors } from './vectors/request-vectors.ts'
import type { sealedVectors } from './vectors/sealed-vectors.ts'

/** Checks the vectors against the server; sdks/typescript checks the same files, and the others, as a client. */
const text = (name: string) => readFileSync(new URL(name, vectorsFolder), 'utf8')
const bytes = (encoded: string) => Buffer.from(encoded, 'base64url')

test('sdks/vectors is what tools/make-vectors.ts writes (R-CLI-12)', async () => {
  const made = await makeVectors()
  const present = readdirSync(vectorsFolder).filter((name) => name.endsWith('.json'))
  expect(present.toSorted()).toEqual(Object.keys(made).toSorted())
  for (const [name, content] of Object.entries(made)) expect(text(name), name).toBe(content)
})

test('each file says what a client must do, and names each case once', async () => {
  for (const [name, content] of Object.entries(await makeVectors())) {
    const { about, cases } = JSON.parse(content) as { about: string; cases: { name: string; curve?: string }[] }
    expect(about, name).toMatch(/\.$/)
    const names = cases.map((each) => `${each.curve ?? ''} ${each.name}`)
    expect(names.length, name).toBe(new Set(names).size)
  }
})

const appNames: ReturnType<typeof appNameVectors> = JSON.parse(text('app-names.json'))
test('the server reads each app name from its header', () => {
  for (const { name, appName, header } of appNames.cases) {
    expect(header, name).toMatch(/^[A-Za-z0-9]{10}\/[A-Za-z0-9_.!~*'()%-]+$/)
    expect(decodeURIComponent(header.slice(header.indexOf('/') + 1)), name).toBe(appName)
  }
  for (const { name, utf16 } of appNames.rejected) {
    const appName = String.fromCharCode(...utf16)
    expect(appName === '' || !appName.isWellFormed(), name).toBe(true)
  }
})

const keys: ReturnType<typeof keyVectors> = JSON.parse(text('keys.json'))
test('a sent key has no white space at its ends and is part of the typed one', () => {
  for (const { name, typed, sent } of keys.cases) {
    expect(typed, name).toContain(sent)
    expect(sent, name).not.toMatch(/^[\p{White_Space}\p{Cf}]|[\p{White_Space}\p{Cf}]$/u)
  }
})

const requests: ReturnType<typeof requestVectors> = JSON.parse(text('request-hash.json'))
test.each(requests.cases)('the server: request hash: $name', ({ hash, session, body, ...request }) => {
  expect(requestHash({ ...request, session: session ?? undefined, body: bytes(body) }).toString('hex')).toBe(hash)
})

const replies: ReturnType<typeof replyVectors> = JSON.parse(text('replies.json'))
test('docs/protocol.md works its example with the values of the vectors', () => {
  const doc = readFileSync(new URL('../docs/protocol.md', import.meta.url), 'utf8')
  const {
    request,
    rootPublicKey,
    cases: [example],
  } = replies
  if (!example) throw new Error('There is no first reply.')
  const hash = requestHash({ ...request, body: bytes(request.body) }).toString('hex')
  const [kid = '', serverTime = ''] = ['Key', 'Time'].map((name) => example.headers[`X-Signet-${name}`])
  const { app } = request
  const reply = { app, kid, serverTime, requestHash: Buffer.from(hash, 'hex'), status: example.status }
  const root = leafHash(replyMessage({ ...reply, body: bytes(example.body) })).toString('hex')
  const sent = Object.entries(example.headers).map(([name, value]) => `${name}: ${value}\n`)
  const shown = [request.path, request.app, request.nonce, request.time, request.session, rootPublicKey, hash, root]
  for (const text of [...shown, ...sent, bytes(example.body).toString()]) expect(doc).toContain(text)
})

const sealedBodies: Awaited<ReturnType<typeof sealedVectors>> = JSON.parse(text('sealed-bodies.json'))
test.each(sealedBodies.cases)('the server: sealed body: $name', ({ sealed, body, session, ...request }) => {
  const place = { ...request, session: session ?? undefined }
  const privateKey = privateKeyFromSeed('x25519', Buffer.from(sealedBodies.recipientKey, 'hex'))
  const open = () => openSealedBody({ ...place, privateKey, sealed: bytes(sealed) })
  if (body === null) return expect(open).toThrow(SealedBodyError)
  expect(open().toString('base64url')).toBe(body)
})
