import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { randomText } from '#server/secrets/random-text.ts'
import { S3Server } from '#testing/servers/s3-server.ts'
import { openFileStore } from './download-files.ts'
import { type FileStore, StoreUnavailable } from './file-store.ts'

/** A bucket that falls silent or doesn't end, and senders that are slow: none of them holds up anybody else. */

const mib = 1024 * 1024
const databaseId = '0b6f3c1e-4f0b-4f6a-9d53-8a4b8e0d4c11'
const inChunks = (bytes: Buffer) => Readable.from([bytes])
let server: S3Server
let store: FileStore
let id = ''
beforeAll(async () => {
  server = await S3Server.start()
})
beforeEach(() => {
  id = randomText(22)
  server.fault = undefined
  store = openFileStore({ dataDir: '', s3: { ...server.settings, timeoutMs: 20_000 } }, databaseId)
})
afterAll(() => server.close())

test('a bucket that falls silent in the middle of a file ends it with an error, and its connection', async () => {
  const impatient = openFileStore({ dataDir: '', s3: { ...server.settings, timeoutMs: 500 } }, databaseId)
  let closed: Promise<unknown> | undefined
  server.fault = (operation, response) => {
    if (operation !== 'GetObject') return false
    closed = once(response, 'close')
    response.writeHead(200, { 'content-length': 100 }).write(Buffer.alloc(50))
    return true
  }
  await expect(impatient.open(id).then(buffer)).rejects.toThrow('The store of files does not answer')
  await closed
})

test.each([200, 503])('a reply with %i that has no end is not read to it', async (status) => {
  server.fault = (operation, response) => {
    if (operation !== 'PutObject') return false
    response.writeHead(status).write(Buffer.alloc(20 * mib))
    return true
  }
  await expect(store.receive(id, inChunks(randomBytes(10)), 10)).rejects.toThrow(
    'The store of files has answered with an endless reply',
  )
})

test('a store keeps no piece of a part, however small its sender cuts them', async () => {
  // Filled anew as often as they come; the stream itself reads a few ahead.
  const all = Array.from({ length: 50 }, () => Buffer.alloc(100))
  const pieces = 30_000
  const source = async function* () {
    for (let n = 0; n < pieces; n++) yield all[n % all.length]?.fill(n)
  }
  await store.receive(id, Readable.from(source(), { highWaterMark: 1 }), 20 * mib)
  const wanted = Buffer.concat(Array.from({ length: pieces }, (_, n) => Buffer.alloc(100, n)))
  expect((await buffer(await store.open(id))).equals(wanted)).toBe(true)
})

test('a store accepts files of another owner, however many of one come slowly', async () => {
  const sources = Array.from({ length: 8 }, () => new Readable({ read() {} }))
  const left = new Error('left')
  const slow = { ownerId: 'slow' }
  const all = sources.map((source) => store.receive(randomText(22), source, 10, slow))
  await expect(store.receive(id, inChunks(randomBytes(10)), 10, slow)).rejects.toThrow(StoreUnavailable)
  await store.receive(id, inChunks(randomBytes(10)), 10, { ownerId: 'other' })
  for (const source of sources) source.destroy(left)
  expect(await Promise.allSettled(all)).toEqual(sources.map(() => ({ status: 'rejected', reason: left })))
  await store.receive(randomText(22), inChunks(randomBytes(10)), 10, slow)
})
