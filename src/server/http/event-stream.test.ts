import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { EventStreams, maxEventBytes, maxUnreadBytes, type StreamEvent } from './event-stream.ts'

let app: TestApp
let server: FastifyInstance
let streams: EventStreams
let pending: StreamEvent[] = []
/** What a call waits for before it opens its stream. */
let prepared: Promise<unknown> = Promise.resolve()
let sockets: Socket[] = []
let readers: IncomingMessage[] = []

const maxStreams = 6

/** A server whose one call streams what the test says. */
beforeAll(async () => {
  app = await startTestApp()
  streams = new EventStreams(app.services, maxStreams)
  server = fastify()
  server.setErrorHandler((error: { status?: number }, _request, reply) => reply.code(error.status ?? 500).send())
  server.get('/:owner', async (request, reply) => {
    const { owner: ownerId } = request.params as { owner: string }
    await prepared
    const next = async () => pending.splice(0)
    streams.open(reply, { topic: { kind: 'tests', id: ownerId }, next }, { ownerId, requireAccess: async () => {} })
    return reply
  })
  server.server.on('connection', (socket: Socket) => sockets.push(socket))
  await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  for (const reader of readers) reader.destroy()
  while (streams.size > 0) await new Promise((resolve) => setImmediate(resolve))
  readers = []
  sockets = []
})
afterAll(async () => {
  streams.close()
  await server.close()
  await app.close()
})

/** Opens a stream that nobody reads. */
async function open(owner: string): Promise<IncomingMessage> {
  const { port } = server.server.address() as AddressInfo
  const [response] = (await once(get({ port, path: `/${owner}`, agent: false }), 'response')) as [IncomingMessage]
  response.on('error', () => {})
  readers.push(response)
  return response
}
const statusOf = async (owner: string) => (await open(owner)).statusCode
const publish = (owner: string) => app.db.write(async (tx) => tx.publish(`tests:${owner}`))

test('with no stream left, the newest stream of the account with the most is closed, until all have equally few: then the server is busy', async () => {
  for (const owner of ['a', 'b', 'b', 'a', 'c', 'a']) expect(await statusOf(owner)).toBe(200)
  const newest = readers.at(-1) as IncomingMessage
  const closed = new Promise((resolve) => newest.once('close', resolve))
  newest.resume()
  expect(await statusOf('d')).toBe(200)
  await closed
  expect(streams.size).toBe(maxStreams)
  // a and b have two, c and d one.
  expect(await statusOf('c')).toBe(503)
  expect(await statusOf('a')).toBe(503)
  expect(await statusOf('e')).toBe(200)
  expect(await statusOf('f')).toBe(200)
  expect(await statusOf('g')).toBe(503)
  expect(streams.size).toBe(maxStreams)
})

test('a reader that takes nothing has a bounded number of bytes waiting, and is disconnected', async () => {
  await open('slow')
  const [socket] = sockets as [Socket]
  const data = { text: 'x'.repeat(maxEventBytes - 100) }
  let waiting = 0
  // Far more than the sockets of any system take.
  for (let sent = 0; sent < 1000 && streams.size > 0; sent++) {
    pending.push({ event: 'one', data })
    await publish('slow')
    while (pending.length > 0 && streams.size > 0) await new Promise((resolve) => setImmediate(resolve))
    waiting = Math.max(waiting, socket.writableLength)
  }
  expect(streams.size).toBe(0)
  expect(waiting).toBeLessThan(maxUnreadBytes + 1024)
  expect(waiting).toBeGreaterThan(0)
})

test('a client that leaves before its stream opens has none', async () => {
  const preparation = Promise.withResolvers<void>()
  prepared = preparation.promise
  const { port } = server.server.address() as AddressInfo
  const request = get({ port, path: '/gone', agent: false }).on('error', () => {})
  const [{ socket }] = (await once(server.server, 'request')) as [IncomingMessage]
  request.destroy()
  await once(socket, 'close')
  preparation.resolve()
  prepared = Promise.resolve()
  for (let opened = 0; opened < maxStreams; opened++) expect(await statusOf('stays')).toBe(200)
  expect(streams.size).toBe(maxStreams)
})
