import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Connections that begin as plain requests of programs: whatever follows, each request gets one reply, in order. */

/** Of no session: each is answered 404. */
const path = '/api/1.0/client/heartbeat'
const folder = mkdtempSync(join(tmpdir(), 'signet-fast-path-'))
const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
let app: TestApp
let secure: TestApp

beforeAll(async () => {
  const { cert, key } = selfSigned()
  writeFileSync(tls.certFile, cert)
  writeFileSync(tls.keyFile, key, { mode: 0o600 })
  app = await startTestApp()
  secure = await startTestApp({ config: { tls } })
})
afterAll(async () => {
  await app.close()
  await secure.close()
  rmSync(folder, { recursive: true })
})

const post = (head = '', body = '{"nothing":1}', of = path) =>
  `POST ${of} HTTP/1.1\r\nhost: signet.test\r\ncontent-length: ${body.length}\r\n${head}\r\n${body}`
const get = 'GET /healthz HTTP/1.1\r\nhost: signet.test\r\n\r\n'
const last = post('connection: close\r\n')
const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
const open = (server = app) =>
  new RawConnection(server.url, server === secure ? { rejectUnauthorized: false } : undefined)
const replyTo = (text: string, server = app) => open(server).send(text).untilClosed()

/** The server's end of the next connection. */
async function connect(): Promise<[RawConnection, Socket]> {
  const accepted = once(app.httpServer, 'connection')
  return [open(), ...((await accepted) as [Socket])]
}

test('a reply is the one that the parser of Node leads to', async () => {
  const shape = (reply: string) =>
    reply
      .replace(/x-request-id: .*/, '')
      .replace(/"requestId":"[^"]*"/, '')
      .replace(/date: .*/i, '')
      .toLowerCase()
      .split('\r\n')
      .toSorted()
  const fast = await replyTo(last)
  expect(statuses(fast)).toEqual([404])
  expect(shape(fast)).toEqual(shape(await replyTo(post('connection: close\r\nx-name: é\r\n'))))
})

test('a request in two pieces is read, wherever it is cut, and in many pieces, too', async () => {
  for (let at = 1; at < last.length; at += 7) {
    const [connection, socket] = await connect()
    connection.send(last.slice(0, at))
    await once(socket, 'data')
    expect(statuses(await connection.send(last.slice(at)).untilClosed())).toEqual([404])
  }
  const [connection, socket] = await connect()
  for (const byte of last.slice(0, -1)) {
    connection.send(byte)
    await once(socket, 'data')
  }
  expect(statuses(await connection.send(last.slice(-1)).untilClosed())).toEqual([404])
})

test.each(['http', 'https'])(
  'requests of both kinds on one %s connection are answered in their order',
  async (protocol) => {
    const server = protocol === 'http' ? app : secure
    const mixed = post() + post() + get + post() + get + last
    expect(statuses(await replyTo(mixed, server))).toEqual([404, 404, 200, 404, 200, 404])
    const connection = open(server)
    await connection.send(post()).until('404')
    await connection.send(get).until('200')
    expect(statuses(await connection.send(last).untilClosed())).toEqual([404, 200, 404])
  },
)

test('what follows the last request is not answered, at once or later', async () => {
  expect(statuses(await replyTo(last + post() + get))).toEqual([404])
  const connection = open().send(last)
  connection.socket.once('data', () => connection.send(post() + get))
  expect(statuses(await connection.untilClosed())).toEqual([404])
})

test.each([
  ['two lengths', post('content-length: 5\r\n')],
  ['a length and chunks', post('transfer-encoding: chunked\r\n', '0\r\n\r\n')],
  ['a blank before the colon', post('x-a : b\r\n')],
  ['a lone line feed', post('x-a: b\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')],
  ['no version', post().replace(' HTTP/1.1', '')],
  ['a null byte', post('x-a: \0\r\n')],
])('%s after a plain request ends the connection with one error', async (_name, hostile) => {
  const received = await replyTo(post() + hostile + get)
  expect(statuses(received)).toEqual([404, 400])
  expect(received).not.toContain('200 OK')
})

test('a body over the limit is rejected with its reply, and one far over it is cut off', async () => {
  expect(statuses(await replyTo(post('connection: close\r\n', 'x'.repeat(70_000))))).toEqual([413])
  const declared = post('', '').replace('content-length: 0', 'content-length: 99000000')
  expect(statuses(await replyTo(declared))).toEqual([413])
})

test.each(['http', 'https'])(
  'a client that has sent all over %s and closes its side gets all replies',
  async (protocol) => {
    // Node itself may end such a TLS connection before its replies.
    const mixed = protocol === 'http' ? [post() + get, get + post()] : []
    const { header } = await Program.of(app, await newOwnerWithApp(app))
    // Its reply is signed, so the end of the stream arrives before it.
    const slow = post(
      `x-signet-app: ${header}\r\nx-signet-nonce: ${'n'.repeat(22)}\r\nx-signet-time: ${Date.now()}\r\n`,
    )
    for (const sent of [post(), post() + post(), slow + post(), ...mixed]) {
      const connection = open(protocol === 'http' ? app : secure)
      connection.socket.end(sent)
      expect(statuses(await connection.untilClosed())).toHaveLength(sent.split('HTTP/1.1').length - 1)
    }
  },
)

test('a client that closes its side in the middle of a request, or resets the connection, is let go', async () => {
  for (const sent of ['P', post().slice(0, 40), post().slice(0, -1)]) {
    const connection = open()
    connection.socket.end(post() + sent)
    expect(statuses(await connection.untilClosed())[0]).toBe(404)
  }
  const [connection, socket] = await connect()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  connection.socket.resetAndDestroy()
  await closed
})

test('a client that reads nothing is answered no further than it reads, and gets every reply later', async () => {
  const [connection, socket] = await connect()
  connection.socket.pause()
  const count = 12_000
  connection.send(post().repeat(count - 1) + last)
  while (!socket.writableNeedDrain) await new Promise((resolve) => setImmediate(resolve))
  expect(socket.writableLength).toBeLessThan(2 * socket.writableHighWaterMark)
  connection.socket.resume()
  expect(statuses(await connection.untilClosed())).toHaveLength(count)
})

test('a connection with more than 32 requests that wait for their replies is closed, without the rest', async () => {
  const lastGet = get.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')
  for (const server of [app, secure]) {
    expect(statuses(await replyTo(get.repeat(31) + lastGet, server))).toEqual(Array(32).fill(200))
    expect(statuses(await replyTo(get.repeat(999) + lastGet, server)).length).toBeLessThanOrEqual(32)
    expect(statuses(await replyTo(lastGet, server))).toEqual([200])
  }
})
