import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResolveHost } from './name-servers.ts'
import { isPublicAddress, type OutgoingRequest, OutgoingRequests } from './outgoing.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const nobody: ResolveHost = async () => []

let canary: TcpServer
let canaryPort: number
let connections = 0
let receiver: Server
let port: number
let answer: Answer
const received: { request: IncomingMessage; body: string }[] = []

beforeAll(async () => {
  // On every address of this machine, IPv4 and IPv6.
  canary = createTcpServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve))
  canaryPort = (canary.address() as AddressInfo).port
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ request, body })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
})
afterAll(() => {
  canary.close()
  receiver.close()
})

const to = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url,
  ownerId: 'owner',
  use: 'call',
  body: '{}',
  headers: {},
  ...more,
})
/** A name server that leads every name to these addresses. */
const leadsTo =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses

const disguises = `
  127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 0 0.0.0.0
  127.0.0.1. 127.255.255.254 127.000.000.001 １２７.０.０.１ 127。0。0。1 %31%32%37.0.0.1 ①②⑦.0.0.1
  [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a00:1::1]
  [fd00::1] [fc00::1] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [100::1] [2001::1] [4000::1]
  169.254.169.254 0xa9fea9fe 2852039166 [::ffff:169.254.169.254] [fd00:ec2::254]
  168.63.129.16 168.63.129.16. [2002:a83f:8110::]
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1 100.100.100.200
  198.18.0.1 198.19.255.255 192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 192.88.99.1
  224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255`
  .trim()
  .split(/\s+/)
/** What a name server inside a network, or one that an attacker runs, says of these. */
const names = `
  localhost localhost. LOCALHOST a.localhost localhost.localdomain ip6-localhost metadata
  metadata.google.internal metadata.google.internal. instance-data router.local kubernetes.default.svc
  127.0.0.1.nip.io 10.0.0.1.sslip.io localtest.me lvh.me xn--bcher-kva.example bücher.example`
  .trim()
  .split(/\s+/)
const longHost = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(63)).join('.')
const tricks = [
  '//127.0.0.1/',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1/',
  'data:text/plain,x',
  'about:blank',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1\\@example.com/',
  'https://example.com:80@127.0.0.1/',
  'https:\\\\127.0.0.1',
  'https:/127.0.0.1',
  'https:127.0.0.1',
  ' https://127.0.0.1',
  'https://127.0.0.1#@example.com',
  'https://user:pass@example.com/',
  'https://example.com/#x',
  'https://',
  'https://%00/',
  'https://[::1',
  '',
  `https://${longHost}.example/`,
]

test('no disguised address is reached: the canary gets no request (R-WHK-01, R-WHK-02, R-WHK-04)', async () => {
  const outgoing = new OutgoingRequests({ allowHttp: true }, leadsTo('127.0.0.1', '::1'))
  // Its port is none that may be called; those that may be are tried as well.
  const urls = [...disguises, ...names].flatMap((host) => [
    `http://${host}:${canaryPort}/`,
    `https://${host}/`,
    `http://${host}/`,
    `https://${host}:8443/`,
  ])
  for (const url of [...urls, ...tricks]) {
    const { failure, status } = await outgoing.post(to(url))
    expect([url, failure, status]).toEqual([url, expect.stringMatching(/^(refused-address|unreachable)$/), undefined])
  }
  expect(connections).toBe(0)
  expect(disguises.length + names.length + tricks.length).toBeGreaterThanOrEqual(60)
})

test('another address of this machine stays blocked when a test opens one port of 127.0.0.1 (R-WHK-02)', async () => {
  const outgoing = new OutgoingRequests({ allowHttp: true, loopbackPorts: [canaryPort] }, leadsTo('127.0.0.2'))
  expect((await outgoing.post(to(`http://127.0.0.2:${canaryPort}/`))).failure).toBe('refused-address')
  expect(connections).toBe(0)
})

test('one private address among public ones is rejected, and so is a name without addresses (R-WHK-02)', async () => {
  for (const addresses of [
    ['93.184.215.14', '127.0.0.1'],
    ['10.0.0.1'],
    ['2606:4700::1', 'fd00::1'],
    ['not an address'],
    [],
  ]) {
    const outgoing = new OutgoingRequests({ allowHttp: true }, leadsTo(...addresses))
    expect((await outgoing.post(to('https://example.com/'))).failure, addresses.join()).toBe('unreachable')
  }
})

test('a name that resolves to a receiver and a private address calls neither (R-WHK-02)', async () => {
  answer = (_request, response) => void response.end()
  const before = received.length
  const statusOf = async (...addresses: string[]) => {
    const outgoing = new OutgoingRequests({ allowHttp: true, loopbackPorts: [port] }, leadsTo(...addresses))
    return (await outgoing.post(to(`http://hooks.example:${port}/`))).status
  }
  expect(await statusOf('127.0.0.1')).toBe(200)
  expect(received).toHaveLength(before + 1)
  expect(await statusOf('127.0.0.1', '10.0.0.1')).toBeUndefined()
  expect(await statusOf('10.0.0.1', '127.0.0.1')).toBeUndefined()
  expect(received).toHaveLength(before + 1)
})

test('a name is resolved once, by the socket, so rebinding it afterwards has no effect (R-WHK-02)', async () => {
  const asked: string[] = []
  const rebinding: ResolveHost = async (host) => {
    asked.push(host)
    return [asked.length === 1 ? '127.0.0.1' : '169.254.169.254']
  }
  const outgoing = new OutgoingRequests({ allowHttp: true, loopbackPorts: [8443] }, rebinding)
  expect((await outgoing.post(to('http://rebinding.example:8443/'))).failure).toBe('unreachable')
  expect(asked).toEqual(['rebinding.example'])
  expect((await outgoing.post(to('http://rebinding.example:8443/'))).failure).toBe('unreachable')
})

describe('only https and usual ports (R-WHK-01)', () => {
  test.each([
    ['https://example.com/hook?x=1', true, true],
    ['https://example.com:443/', true, true],
    ['https://example.com:8443/', true, true],
    ['http://example.com/', false, true],
    ['http://example.com:8443/', false, true],
    ['https://example.com:80/', true, true],
    ['https://example.com:25/', false, false],
    ['https://example.com:6379/', false, false],
    ['https://example.com:65535/', false, false],
    ['https://8.8.8.8/', true, true],
    ['https://[2606:4700::1111]/', true, true],
    ['https://[2002:808:808::]/', true, true],
    ['wss://example.com/', false, false],
  ])('%s: %s, with http allowed %s', (url, allowed, withHttp) => {
    expect(new OutgoingRequests({ allowHttp: false }, nobody).isAllowed(url)).toBe(allowed)
    expect(new OutgoingRequests({ allowHttp: true }, nobody).isAllowed(url)).toBe(withHttp)
  })
})

test.each([
  ['8.8.8.8', true],
  ['::ffff:8.8.8.8', true],
  ['2606:4700::1111', true],
  ['64:ff9b::808:808', true],
  ['2002:808:808::', true],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', false],
  ['fe80::1%eth0', false],
  ['', false],
])('%s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

describe('a receiver', () => {
  const own = (settings: object = {}) =>
    new OutgoingRequests({ allowHttp: false, loopbackPorts: [port], ...settings }, nobody)
  const url = () => `http://127.0.0.1:${port}/hook`

  test('gets the exact body, the headers, and its own name as the host', async () => {
    answer = (_, response) => response.writeHead(202).end('thanks')
    const body = '{"text":"Olá 🦊"}'
    expect(await own().post(to(url(), { body, headers: { 'user-agent': 'Mozilla/5.0' } }))).toEqual({
      status: 202,
      answer: 'thanks',
      isCut: false,
    })
    const { request, body: got } = received.at(-1) as (typeof received)[number]
    expect([request.method, request.url, got]).toEqual(['POST', '/hook', body])
    expect(request.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      'user-agent': 'Mozilla/5.0',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    })
  })

  test.each([301, 302, 303, 307, 308, 300])(
    "that redirects with %i fails and isn't followed (R-WHK-03)",
    async (status) => {
      const before = received.length
      answer = (_, response) => response.writeHead(status, { location: `http://127.0.0.1:${canaryPort}/` }).end()
      expect(await own().post(to(url()))).toMatchObject({ failure: 'redirect', status })
      expect([received.length - before, connections]).toEqual([1, 0])
    },
  )

  test('with an endless reply is cut off at 2 KiB, also inside a character (R-WHK-05, R-WHK-08)', async () => {
    answer = (_, response) => {
      response.writeHead(200)
      const more = () => response.write('a🦊'.repeat(1000)) && setImmediate(more)
      more()
      response.on('close', () => response.removeAllListeners('drain'))
    }
    const cut = await own().post(to(url()))
    expect([cut.isCut, cut.status]).toEqual([true, 200])
    expect(Buffer.byteLength(cut.answer)).toBeLessThanOrEqual(2048)
    expect(cut.answer).toMatch(/^(a🦊)+a?$/u)
  })

  test("with a compressed reply isn't decompressed, so a bomb stays small", async () => {
    answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([0x1f, 0x8b, 0, 0]))
    expect((await own().post(to(url()))).answer).not.toContain('\0')
  })

  test('that never replies times out (R-WHK-08)', async () => {
    answer = () => {}
    expect((await own({ timeoutMs: 50 }).post(to(url()))).failure).toBe('timeout')
  })

  test('that switches protocols, asked or not, has answered: its connection is closed', async () => {
    for (const upgrade of ['websocket', 'h2c']) {
      const closed = new Promise((resolve) => {
        answer = ({ socket }) => {
          socket.once('close', resolve)
          socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${upgrade}\r\n\r\nmore`)
        }
      })
      expect(await own().post(to(url()))).toEqual({ status: 101, answer: '', isCut: false })
      await closed
    }
  })

  test("that disconnects midway, or doesn't exist, is unreachable", async () => {
    answer = (request) => request.socket.destroy()
    expect((await own().post(to(url()))).failure).toBe('unreachable')
    expect((await own({ loopbackPorts: [1] }).post(to('http://127.0.0.1:1/'))).failure).toBe('unreachable')
  })

  test("that is slow gets at most 16 requests at once, and doesn't delay others (R-WHK-08)", async () => {
    const waiting: ServerResponse[] = []
    let allWait: () => void = () => {}
    const sixteen = new Promise<void>((resolve) => (allWait = resolve))
    answer = (_, response) => {
      waiting.push(response)
      if (waiting.length === 16) allWait()
    }
    const outgoing = own()
    const slow = Array.from({ length: 16 }, () => outgoing.post(to(url())))
    await sixteen
    expect((await outgoing.post(to(url()))).failure).toBe('busy')
    expect((await outgoing.post(to('https://10.0.0.1/'))).failure).toBe('refused-address')
    for (const response of waiting) response.end()
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array<number>(16).fill(200))
    answer = (_, response) => response.end()
    expect((await outgoing.post(to(url()))).status).toBe(200)
  })

  test('gets at most 20 KiB, and no header that would split the request', async () => {
    const before = received.length
    expect((await own().post(to(url(), { body: 'x'.repeat(20_481) }))).failure).toBe('refused-address')
    expect((await own().post(to(url(), { headers: { 'user-agent': 'a\r\nx: y' } }))).failure).toBe('refused-address')
    expect(received.length).toBe(before)
  })
})
