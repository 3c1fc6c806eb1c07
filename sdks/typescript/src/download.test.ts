import { createHash } from 'node:crypto'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Script, ScriptedServer } from '../scripted-server.ts'
import type { Client } from './client.ts'
import { SignetError } from './errors.ts'

const bytes = Buffer.from('the bytes of a file')
const half = 9
/** The waits between attempts are parts of it. */
const timeoutSeconds = 2

let folder: string
let server: ScriptedServer
/** What is sent to the next requests for bytes; afterwards the honest rest. */
let answers: (() => Response)[]
let ranges: (string | undefined)[]
let client: Client

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-download-'))
  server = new ScriptedServer()
  answers = []
  ranges = []
  offer(bytes)
  client = clientOf(timeoutSeconds)
})
afterEach(() => rmSync(folder, { recursive: true }))

function offer(content: Buffer): void {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const file = { fileName: 'x', size: content.length, sha256, url: '/api/1.0/download/x' }
  server.scripts.set('download', { status: 200, fields: file })
}

const clientOf = (seconds: number) =>
  server.client({
    timeoutSeconds: seconds,
    fetch: async (url, init) => {
      if (init.method === 'POST') return server.fetch(url, init)
      const { range } = init.headers as Record<string, string>
      ranges.push(range)
      return answers.shift()?.() ?? rest(Number(/\d+/.exec(range ?? '0')?.[0]))
    },
  })

const rest = (start: number): Response =>
  start === 0
    ? new Response(bytes)
    : new Response(bytes.subarray(start), { status: 206, headers: { 'content-range': `bytes ${start}-18/19` } })
/** The first half, then nothing, or the end of the connection. */
const firstHalf = (then: 'silence' | 'cut') => () =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(bytes.subarray(0, half)),
      pull: (stream) => (then === 'cut' ? stream.error(new TypeError('terminated')) : new Promise(() => undefined)),
    }),
  )
const later = (status: number, seconds?: number): Script => ({
  status,
  code: 'MAINTENANCE',
  fields: seconds === undefined ? {} : { retryAfterSeconds: seconds },
})

const outcome = (signal?: AbortSignal) =>
  client.download('x', join(folder, 'x'), { signal }).then(
    () => readFileSync(join(folder, 'x'), 'utf8'),
    (error: unknown) => (error instanceof SignetError ? error.code : error),
  )
const asked = () => server.calls.filter((name) => name === 'download').length

test.runIf(process.platform !== 'win32').each([0o750, 0o600])(
  'a file with the permissions %i is replaced by one with the same',
  async (mode) => {
    writeFileSync(join(folder, 'x'), 'before', { mode })
    expect(await outcome()).toBe(bytes.toString())
    expect(statSync(join(folder, 'x')).mode & 0o777).toBe(mode)
  },
)

test.each(['silence', 'cut'] as const)('goes on after %s, from the bytes that it has', async (what) => {
  client = clientOf(0.5)
  answers = [firstHalf(what)]
  expect(await outcome()).toBe(bytes.toString())
  expect(ranges).toEqual([undefined, `bytes=${half}-`])
})

test('is complete after the last byte, even if the connection breaks then', async () => {
  answers = [
    () =>
      new Response(
        new ReadableStream({
          start: (stream) => stream.enqueue(bytes),
          pull: (stream) => stream.error(new TypeError('terminated')),
        }),
      ),
    () => new Response(null, { status: 416 }),
  ]
  expect(await outcome()).toBe(bytes.toString())
})

test('starts over when the file was replaced meanwhile', async () => {
  const other = Buffer.from('another file')
  answers = [
    () => {
      offer(other)
      return firstHalf('cut')()
    },
    () => new Response(other),
  ]
  expect(await outcome()).toBe('another file')
  expect(ranges).toEqual([undefined, undefined])
})

test('waits out a server that is away, and gives up after five attempts', async () => {
  server.next.set('download', [later(503), 'drop', 'drop', later(503, 0.2)])
  expect(await outcome()).toBe(bytes.toString())
  rmSync(join(folder, 'x'))
  const before = asked()
  server.scripts.set('download', later(503))
  expect([await outcome(), asked() - before]).toEqual(['MAINTENANCE', 5])
  server.isFake = true
  const calls = server.calls.length
  // The first asks for the file; the others open a session before.
  expect([await outcome(), server.calls.length - calls]).toEqual(['UNSIGNED_RESPONSE', 5])
  expect(readdirSync(folder)).toEqual([])
})

test('leaves a wait of more than a minute to the program', async () => {
  server.scripts.set('download', later(503, 61))
  expect([await outcome(), asked()]).toEqual(['MAINTENANCE', 1])
})

test.each([
  [302, 1],
  [404, 1],
  [416, 1],
  [429, 5],
  [503, 5],
])('the status %d instead of the bytes allows %d attempts', async (status, attempts) => {
  answers = Array.from({ length: 9 }, () => () => new Response('a page', { status }))
  expect([await outcome(), ranges.length]).toEqual(['NETWORK', attempts])
  expect(readdirSync(folder)).toEqual([])
})

test.each(['signal', 'close'])('ends between two attempts: %s', async (how) => {
  server.scripts.set('download', later(503, 60))
  const controller = new AbortController()
  const end = outcome(controller.signal)
  await vi.waitFor(() => expect(asked()).toBe(1))
  if (how === 'close') await client.close()
  else controller.abort('no more')
  expect(await end).toBe(how === 'close' ? 'CANCELLED' : 'no more')
})

/** The files that this process has open in the folder. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((handle) => {
    try {
      return readlinkSync(`/proc/self/fd/${handle}`).startsWith(folder)
    } catch {
      // The handle with which the list itself was read.
      return false
    }
  })

test.runIf(process.platform === 'linux')('a file whose permissions cannot be read leaves no handle open', async () => {
  const path = join(folder, 'loop')
  symlinkSync(path, path)
  await expect(client.download('x', path)).rejects.toThrow(SignetError)
  expect([openFiles(), readdirSync(folder)]).toEqual([[], ['loop']])
})
