import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runScenarios } from '../../conformance/run-scenarios.ts'
import { changedScenarios } from '../../conformance/scenarios/changed.ts'
import { hostileDownloadScenarios } from '../../conformance/scenarios/hostile-downloads.ts'
import { hostileHttpScenarios } from '../../conformance/scenarios/hostile-http.ts'
import { slowScenarios } from '../../conformance/scenarios/slow.ts'
import { unusualHttpScenarios } from '../../conformance/scenarios/unusual-http.ts'
import { ScriptedServer } from '../scripted-server.ts'
import { closeAll, type RawScript, rawServer, WireServer } from '../wire-servers.ts'

/** Over `node:http`, the client guarantees what it does over `fetch`. A proxy's address is what chooses it here. */

afterAll(closeAll)

const programFile = join(import.meta.dirname, '../conformance-program.ts')

/** A client of http://signet.test, whose proxy this port is. */
const clientOf = (port: number, scripted = new ScriptedServer()) =>
  scripted.client({
    serverUrl: 'http://signet.test',
    allowHttp: true,
    proxy: `http://127.0.0.1:${port}`,
    fetch: undefined,
  })

const html = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test('passes what the conformance kit has about HTTP, dropped connections, and files', async () => {
  const scenarios = [
    ...hostileHttpScenarios,
    ...unusualHttpScenarios,
    ...hostileDownloadScenarios,
    ...changedScenarios.filter(({ name }) => /connection|restart|drop/.test(name)),
    ...slowScenarios.filter(({ name }) => /cancel|drip|close/.test(name)),
  ].filter(({ create }) => (create?.timeout ?? 15) > 6)
  expect(scenarios.length).toBeGreaterThan(70)
  const results = await runScenarios(scenarios, [process.execPath, programFile, '--sockets'], { jobs: 2 })
  const failed = results.filter(({ isOk }) => !isOk)
  expect(failed.map(({ scenario, got }) => `${scenario.name}: ${got}`)).toEqual([])
}, 120_000)

test('a kept connection that was closed is opened again once, with the same bytes', async () => {
  const heard: string[] = []
  let connections = 0
  const { port } = await rawServer((socket, first) => {
    connections++
    // The first connection answers once; after that, every request meets a closing one.
    if (connections > 1) {
      heard.push(first)
      return void socket.destroy()
    }
    socket.write(html('no'))
    socket.on('data', (data) => {
      heard.push(data.toString('latin1'))
      socket.destroy()
    })
  })
  const client = clientOf(port)
  await expect(client.init()).rejects.toMatchObject({ code: 'UNSIGNED_RESPONSE' })
  await expect(client.init()).rejects.toMatchObject({ code: 'NETWORK' })
  expect(heard.length).toBe(2)
  expect(heard[0]).toMatch(/^POST /)
  expect(heard[1]).toBe(heard[0])
})

test('a new connection that is closed is not tried again, and neither is an answer that was cut', async () => {
  for (const script of [
    (socket: Socket) => void socket.destroy(),
    (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nno'),
  ]) {
    const { port, heard } = await rawServer(script)
    await expect(clientOf(port).init()).rejects.toMatchObject({ code: 'NETWORK' })
    expect(heard.length).toBe(1)
  }
})

test('a call succeeds although the server has closed the kept connection meanwhile', async () => {
  const scripted = new ScriptedServer()
  const server = await WireServer.start(scripted)
  const client = clientOf(server.port, scripted)
  await client.license('KEY')
  scripted.next.set('heartbeat', ['drop'])
  // The nonce of the first is used up, so the client asks with a new one.
  await client.heartbeat()
  expect(scripted.calls.filter((name) => name === 'heartbeat').length).toBe(3)
})

test.each<[string, RawScript]>([
  [
    'headers',
    (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'x: 1234567890\r\n'.repeat(5000)}content-length: 0\r\n\r\n`),
  ],
  [
    'one header',
    (socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(66_000)}\r\ncontent-length: 0\r\n\r\n`),
  ],
  ['body', (socket) => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1024 * 1024 + 1)}`)],
])('the %s of an answer can be too large, and the connection is then closed', async (_, script) => {
  let isClosed: (value: unknown) => void = () => undefined
  const closed = new Promise((resolve) => (isClosed = resolve))
  const { port } = await rawServer((socket, first) => {
    socket.on('close', isClosed)
    script(socket, first)
  })
  await expect(clientOf(port).init()).rejects.toMatchObject({ code: 'NETWORK' })
  await closed
})

test('60 KiB of headers are read', async () => {
  const filler = 'x: 1234567890\r\n'.repeat(4000)
  const { port } = await rawServer(
    (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${filler}Content-Length: 2\r\n\r\nno`),
  )
  await expect(clientOf(port).init()).rejects.toMatchObject({ code: 'UNSIGNED_RESPONSE' })
})

test.each([204, 205, 304])('an answer of status %i without a body is an answer', async (status) => {
  const { port } = await rawServer((socket) => void socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`))
  await expect(clientOf(port).init()).rejects.toMatchObject({ code: 'UNSIGNED_RESPONSE' })
})

test('aborting a call and closing the client close the connection', async () => {
  for (const end of ['abort', 'close'] as const) {
    let isClosed: (value: unknown) => void = () => undefined
    const closed = new Promise((resolve) => (isClosed = resolve))
    const controller = new AbortController()
    let client = clientOf(1)
    const { port } = await rawServer((socket) => {
      socket.on('close', isClosed)
      // In the middle of a body.
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nno')
      if (end === 'abort') controller.abort(new Error('enough'))
      else void client.close()
    })
    client = clientOf(port)
    const call = client.init({ signal: controller.signal })
    if (end === 'abort') await expect(call).rejects.toThrow('enough')
    else await expect(call).rejects.toMatchObject({ code: 'CANCELLED' })
    await closed
  }
})

test("a kept connection doesn't keep the program running", async () => {
  const { port } = await rawServer((socket) => void socket.write(html('no')))
  const program = `
    import { Client } from '${new URL('client.ts', import.meta.url).href}'
    const client = new Client(JSON.parse(process.argv[1]))
    await client.init().catch((error) => console.log(error.code))`
  const { verificationKey, sealingKey } = new ScriptedServer().keys
  const options = { ownerId: 'Ab3dE6gH1j', appName: 'My App', version: '1.0', verificationKey, sealingKey }
  const network = { serverUrl: 'http://signet.test', allowHttp: true, proxy: `http://127.0.0.1:${port}` }
  const child = spawn(process.execPath, [
    '--input-type=module-typescript',
    '-e',
    program,
    JSON.stringify({ ...options, ...network }),
  ])
  const [said, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'exit')])
  expect([Buffer.concat(said).toString(), code]).toEqual(['UNSIGNED_RESPONSE\n', 0])
})
