import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { newLog } from '../log/log.ts'

/** Peers that stop in the middle: of what they send, of what they read, or altogether. */

const lines: string[] = []
let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp({ stalledTransferMs: 200, log: newLog('warn', { write: (line) => void lines.push(line) }) })
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

async function peer(): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))
const connections = () =>
  new Promise<number>((resolve) => {
    app.httpServer.getConnections((_, count) => resolve(count))
  })
async function untilConnections(count: number): Promise<void> {
  while ((await connections()) > count) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a download that nobody reads is aborted, and its source stops', async () => {
  const notes = 'n'.repeat(480)
  for (let times = 0; times < 3; times++) await newLicenses(owner, 1000, { notes })
  const before = await connections()
  const stalled = [await peer()]
  // More than the kernel's buffers take.
  const downloads = 12
  for (const socket of stalled) {
    socket.pause()
    const request =
      `GET /api/1.0/website/export_licenses?format=csv&download=true HTTP/1.1\r\nhost: x\r\n` +
      `x-app-id: ${owner.appId}\r\ncookie: ${owner.visitor.cookieHeader()}\r\n\r\n`
    socket.write(request.repeat(downloads))
  }
  await untilConnections(before)
  let received = 0
  for (const socket of stalled) {
    socket.on('data', (chunk) => (received += chunk.length))
    socket.resume()
    await closed(socket)
  }
  const { headers, body } = await owner.visitor.send<{ text: string }>('GET', '/api/1.0/website/export_licenses', {
    query: { format: 'csv', download: 'true' },
  })
  expect(headers.get('content-type')).toContain('text/csv')
  // The same download that is read comes whole; of the stalled ones a part was sent.
  expect(body.text.length).toBeGreaterThan(1_500_000)
  expect(received).toBeGreaterThan(1000)
  expect(received).toBeLessThan(stalled.length * downloads * body.text.length)
})

test.each(['/api/1.0/website/login', '/api/1.0/client/init'])(
  "an interrupted upload to %s leaves nothing and isn't a failure of the server",
  async (path) => {
    lines.length = 0
    const digest = await databaseDigest(app.db)
    const before = await connections()
    const senders = await Promise.all(Array.from({ length: 10 }, peer))
    for (const socket of senders) {
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"a": "`,
      )
    }
    // The server has read their heads when it answers the one after them.
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    for (const socket of senders) socket.resetAndDestroy()
    await untilConnections(before + 1)
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
    expect(lines).toEqual([])
    expect(await databaseDigest(app.db)).toBe(digest)
  },
)

test('rejects a head of ten megabytes and a body of a gibibyte before they are sent', async () => {
  const answerTo = async (...sent: string[]) => {
    const socket = await peer()
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    for (const text of sent) socket.write(text)
    await closed(socket)
    return answer.split('\r\n')[0]
  }
  expect(await answerTo('GET / HTTP/1.1\r\nhost: x\r\n', `x-long: ${'x'.repeat(10_000_000)}\r\n\r\n`)).toContain(
    ' 431 ',
  )
  const gibibyte =
    'host: x\r\ncontent-type: application/json\r\ncontent-length: 1073741824\r\nconnection: close\r\n\r\n{'
  expect(await answerTo(`POST /api/1.0/client/init HTTP/1.1\r\n${gibibyte}`)).toContain(' 413 ')
  // Its head alone says that it is forged.
  expect(await answerTo(`POST /api/1.0/website/login HTTP/1.1\r\n${gibibyte}`)).toContain(' 403 ')
})

test.runIf(process.platform === 'linux')('checks for dead clients with keep-alive', async () => {
  const socket = await peer()
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  const [here, there] = [socket.remotePort as number, socket.localPort as number].map(
    (port) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((each) => each.includes(` ${here} ${there} `))
  // The kernel's timer 02 is that of keep-alive.
  expect(line?.trim().split(/\s+/)[5]).toMatch(/^02:/)
  socket.destroy()
})

test("a stopping server doesn't wait for connections that sent nothing, and answers the requests it has begun", async () => {
  const stopping = await startTestApp()
  const { port } = new URL(stopping.url)
  const silent = connect(Number(port), '127.0.0.1')
  silent.on('error', () => {})
  await once(silent, 'connect')
  const begun = connect(Number(port), '127.0.0.1')
  begun.write('POST /api/1.0/website/login HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n')
  await stopping.visitor().send('GET', '/healthz')
  const stopped = stopping.stop()
  await closed(silent)
  begun.end('{"a":')
  let answer = ''
  begun.on('data', (chunk) => (answer += String(chunk)))
  await stopped
  await closed(begun)
  expect(answer).toMatch(/^HTTP\/1\.1 [45]\d\d /)
  await stopping.close()
})
