import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decodeBase64url, lengthPrefixed, requestHash, type RequestParts } from './wire.ts'

const vectors = JSON.parse(readFileSync(new URL('../../vectors/request-hash.json', import.meta.url), 'utf8')) as {
  cases: (Omit<RequestParts, 'session' | 'body'> & {
    name: string
    session: string | null
    body: string
    hash: string
  })[]
}

test.each(vectors.cases)('request hash: $name', ({ hash, session, body, ...request }) => {
  const parts = { ...request, session: session ?? undefined, body: Buffer.from(body, 'base64url') }
  expect(requestHash(parts).toString('hex')).toBe(hash)
})

test('a 4-byte big-endian length stands before the UTF-8 bytes of each part', () => {
  expect(lengthPrefixed('é', new Uint8Array([7]), '').toString('hex')).toBe('00000002c3a9000000010700000000')
  expect(lengthPrefixed('ab', 'c')).not.toEqual(lengthPrefixed('a', 'bc'))
})

const parts: RequestParts = {
  path: '/api/1.0/client/heartbeat',
  app: 'Ab3dE6gH1j/My%20App',
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
  time: '1750000000000',
  session: 'token',
  body: '{}',
}

test('every part changes the request hash, and an absent session is an empty part', () => {
  const hash = requestHash(parts).toString('hex')
  for (const name of ['path', 'app', 'nonce', 'time', 'session', 'body'] as const) {
    expect(requestHash({ ...parts, [name]: `${String(parts[name])}x` }).toString('hex'), name).not.toBe(hash)
  }
  expect(requestHash({ ...parts, session: undefined })).toEqual(requestHash({ ...parts, session: '' }))
  expect(requestHash({ ...parts, body: Buffer.from('{}') })).toEqual(requestHash(parts))
})

test('only the one spelling of base64url is read', () => {
  const bytes = createHash('sha256').update('x').digest()
  const text = bytes.toString('base64url')
  expect(decodeBase64url(text)).toEqual(bytes)
  const spare = `${text.slice(0, -1)}${String.fromCharCode(text.charCodeAt(42) + 1)}`
  for (const other of [`${text}=`, ` ${text}`, bytes.toString('base64'), spare]) {
    expect(decodeBase64url(other), other).toBeUndefined()
  }
})
