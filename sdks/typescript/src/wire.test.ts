import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodeBase64url, encodeBase64url, hexOf, lengthPrefixed, requestHash, type RequestParts } from './wire.ts'

test('a 4-byte big-endian length precedes the UTF-8 bytes of each part', () => {
  expect(hexOf(lengthPrefixed('é', new Uint8Array([7]), ''))).toBe('00000002c3a9000000010700000000')
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

test('every part changes the request hash, and an absent session is an empty part', async () => {
  const hash = await requestHash(parts)
  for (const name of ['path', 'app', 'nonce', 'time', 'session', 'body'] as const) {
    expect(await requestHash({ ...parts, [name]: `${String(parts[name])}x` }), name).not.toEqual(hash)
  }
  expect(await requestHash({ ...parts, session: undefined })).toEqual(await requestHash({ ...parts, session: '' }))
  expect(await requestHash({ ...parts, body: Buffer.from('{}') })).toEqual(hash)
})

test('only canonical base64url is accepted', () => {
  const bytes = createHash('sha256').update('x').digest()
  const text = bytes.toString('base64url')
  expect(decodeBase64url(text)).toEqual(new Uint8Array(bytes))
  expect(encodeBase64url(bytes)).toBe(text)
  const spare = `${text.slice(0, -1)}${String.fromCharCode(text.charCodeAt(42) + 1)}`
  for (const other of [`${text}=`, ` ${text}`, bytes.toString('base64'), spare, 'A', 'é']) {
    expect(decodeBase64url(other), other).toBeUndefined()
  }
})
