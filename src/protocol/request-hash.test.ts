import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { requestHash, type RequestParts } from './request-hash.ts'

const parts: RequestParts = {
  path: '/api/1.0/client/heartbeat',
  app: 'Ab3dE6gH1j/My%20App',
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
  time: '1750000000000',
  session: 'token',
  body: '{}',
}

test('hashes the parts in the written order, the session as its own hash', () => {
  const expected = createHash('sha256')
  const session = createHash('sha256').update('token').digest()
  for (const part of ['POST', parts.path, parts.app, parts.nonce, parts.time, session, '{}']) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    expected.update(length).update(part)
  }
  expect(requestHash(parts).toString('hex')).toBe(expected.digest('hex'))
})

test('takes the session as a token or as its hash, and app and body as text or bytes', () => {
  const session = createHash('sha256').update('token').digest()
  expect(requestHash({ ...parts, session })).toEqual(requestHash(parts))
  const bytes = { app: Buffer.from(parts.app as string), body: Buffer.from('{}') }
  expect(requestHash({ ...parts, ...bytes })).toEqual(requestHash(parts))
})

test('an absent session is an empty part', () => {
  expect(requestHash({ ...parts, session: undefined })).toEqual(requestHash({ ...parts, session: '' }))
  expect(requestHash({ ...parts, session: undefined })).not.toEqual(requestHash(parts))
})

test('every part changes the hash', () => {
  const hash = requestHash(parts).toString('hex')
  for (const name of ['path', 'app', 'nonce', 'time', 'session', 'body'] as const) {
    expect(requestHash({ ...parts, [name]: `${String(parts[name])}x` }).toString('hex'), name).not.toBe(hash)
  }
})
