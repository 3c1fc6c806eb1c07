import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CertificateAuthority } from '../../conformance/server/certificates.ts'
import { ScriptedServer } from '../scripted-server.ts'
import { closeAll, type RawScript, rawServer, tunnelTo, WireServer } from '../wire-servers.ts'
import { type ClientOptions, SignetError } from './client.ts'

/** Proxies: tunnels for https, whole addresses for http, and nothing that a proxy says is believed. */

const authority = new CertificateAuthority()
const certificate = authority.issue()
const impostorsCertificate = authority.issue()
let scripted: ScriptedServer
let server: WireServer

beforeAll(async () => {
  scripted = new ScriptedServer()
  server = await WireServer.start(scripted, certificate)
})
afterAll(closeAll)

const clientOf = (proxyPort: number, options: Partial<ClientOptions> = {}) =>
  scripted.client({
    serverUrl: server.url,
    fetch: undefined,
    ca: authority.cert,
    proxy: `http://someone:s3cr%40t@127.0.0.1:${proxyPort}`,
    ...options,
  })

async function failureOf(script: RawScript, options: Partial<ClientOptions> = {}): Promise<SignetError> {
  const before = server.requests.length
  const { port } = await rawServer(script)
  const error: unknown = await clientOf(port, options)
    .init()
    .catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SignetError)
  expect(server.requests.length).toBe(before)
  // Neither as it was given nor as it is sent.
  expect(inspect(error, { depth: 20 })).not.toMatch(/s3cr|c29tZW9uZTpzM2Ny/)
  return error as SignetError
}

test.each([
  [
    'asks for a password',
    'the proxy answers 407',
    'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n',
  ],
  ["can't reach the server", 'the proxy answers 502', 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nno\n'],
  ['redirects', 'the proxy answers 302', 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\n\r\n'],
  ['accepts with another status', 'the proxy answers 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['switches protocols', '', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ['speaks before the server can', 'bytes of its own', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['writes garbage', '', '\0\u0001\u0002 no HTTP at all'],
  ['sends endless headers', '', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`],
  ['says nothing and hangs up', '', ''],
])('a proxy that %s is NETWORK, and nothing more is sent', async (_, message, answer) => {
  let isClosed: (value: unknown) => void = () => undefined
  const closed = new Promise((resolve) => (isClosed = resolve))
  let more = 0
  const error = await failureOf((socket) => {
    socket.on('close', isClosed).on('data', () => more++)
    if (answer === '') socket.end()
    else socket.write(answer, 'latin1')
  })
  expect(error.code).toBe('NETWORK')
  expect(error.message).toContain(message)
  await closed
  expect(more).toBe(0)
})

test('a proxy that opens a tunnel and hangs up is NETWORK', async () => {
  const error = await failureOf((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.once('data', () => socket.destroy())
  })
  expect(error.code).toBe('NETWORK')
})

test.each<[string, RawScript]>([
  ['never answers', () => undefined],
  ['opens a tunnel to nowhere', (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n')],
])('the deadline of the call ends a proxy that %s, and the connection is closed', async (_, script) => {
  let isClosed: (value: unknown) => void = () => undefined
  const closed = new Promise((resolve) => (isClosed = resolve))
  const error = await failureOf(
    (socket, first) => {
      socket.on('close', isClosed)
      script(socket, first)
    },
    { timeoutSeconds: 0.3 },
  )
  expect(error.code).toBe('NETWORK')
  await closed
})

test('aborting a call closes the connection to a proxy that never answers', async () => {
  const controller = new AbortController()
  let isClosed: (value: unknown) => void = () => undefined
  const closed = new Promise((resolve) => (isClosed = resolve))
  const { port } = await rawServer((socket) => {
    socket.on('close', isClosed)
    controller.abort(new Error('enough'))
  })
  await expect(clientOf(port).init({ signal: controller.signal })).rejects.toThrow('enough')
  await closed
})

test('a proxy that decrypts with a certificate of its own is found by the fingerprint of the server', async () => {
  const impostor = await WireServer.start(scripted, impostorsCertificate)
  const error = await failureOf(tunnelTo(impostor.port), { sslFingerprint: certificate.fingerprint })
  expect(error.code).toBe('FINGERPRINT_MISMATCH')
  expect(impostor.requests).toEqual([])
})

test('the fingerprint of a proxy is not that of the server', async () => {
  const error = await failureOf(tunnelTo(), { sslFingerprint: impostorsCertificate.fingerprint })
  expect(error.code).toBe('FINGERPRINT_MISMATCH')
})

test('https goes through a tunnel, and the proxy sees nothing of the request but its password', async () => {
  const { port, heard } = await rawServer(tunnelTo())
  const client = clientOf(port, { sslFingerprint: certificate.fingerprint })
  const before = server.requests.length
  expect((await client.license('KEY')).user.username).toBe('alice')
  await client.heartbeat()
  // One tunnel for all calls.
  const [first = '', ...others] = heard
  expect(others).toEqual([])
  expect(first).toMatch(new RegExp(`^CONNECT 127\\.0\\.0\\.1:${server.port} HTTP/1\\.1\r\n`))
  expect(first).toContain(`\r\nproxy-authorization: Basic ${btoa('someone:s3cr@t')}\r\n`)
  expect(first).not.toMatch(/x-signet|user-agent/i)
  for (const { headers } of server.requests.slice(before)) expect(headers['proxy-authorization']).toBeUndefined()
})

test('http goes to the proxy with the whole address and the password', async () => {
  const plain = await WireServer.start(scripted)
  const options = { serverUrl: 'http://signet.test', allowHttp: true, ca: undefined }
  await clientOf(plain.port, options).license('KEY')
  expect(plain.requests.map(({ line }) => line)).toEqual([
    'POST http://signet.test/api/1.0/client/init',
    'POST http://signet.test/api/1.0/client/license',
  ])
  expect(plain.connections).toBe(1)
  const { headers } = plain.requests[0] ?? {}
  expect(headers?.host).toBe('signet.test')
  expect(headers?.['proxy-authorization']).toBe(`Basic ${btoa('someone:s3cr@t')}`)
})

test("what an http proxy answers by itself isn't believed, and its redirects aren't followed", async () => {
  for (const answer of [
    'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"success":true}',
  ]) {
    const options = { serverUrl: 'http://signet.test', allowHttp: true, ca: undefined }
    const error = await failureOf((socket) => socket.end(answer), options)
    expect(error.code).toBe('UNSIGNED_RESPONSE')
  }
})

test('a proxy that nobody runs is NETWORK', async () => {
  const { port } = await rawServer(() => undefined)
  await closeAll()
  const error: unknown = await clientOf(port)
    .init()
    .catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'NETWORK' })
})
