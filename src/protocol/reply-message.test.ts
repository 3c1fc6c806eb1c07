import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { lengthPrefixed } from './length-prefixed.ts'
import { replyMessage, type ReplyParts } from './reply-message.ts'

const parts: ReplyParts = {
  app: 'Ab3dE6gH1j/App',
  kid: 'k1',
  requestHash: Buffer.alloc(32, 5),
  serverTime: 1750000000123,
  status: 200,
  body: '{"success":true}',
}

test('is the domain, app, key, request, time, status and the body by its hash', () => {
  const bodyHash = createHash('sha256').update('{"success":true}').digest()
  const expected = lengthPrefixed(
    'signet/v1/response',
    'Ab3dE6gH1j/App',
    'k1',
    Buffer.alloc(32, 5),
    '1750000000123',
    '200',
    bodyHash,
  )
  expect(replyMessage(parts)).toEqual(expected)
  const ready = { app: Buffer.from('Ab3dE6gH1j/App'), kid: Buffer.from('k1'), serverTime: '1750000000123' }
  expect(replyMessage({ ...parts, ...ready })).toEqual(expected)
})

test('every part changes the message', () => {
  const message = replyMessage(parts).toString('hex')
  const others: Partial<ReplyParts>[] = [
    { app: 'Ab3dE6gH1j/Apq' },
    { kid: 'k2' },
    { requestHash: Buffer.alloc(32, 6) },
    { serverTime: 1750000000124 },
    { status: 403 },
    { body: '{"success":true} ' },
  ]
  for (const other of others) expect(replyMessage({ ...parts, ...other }).toString('hex')).not.toBe(message)
})
