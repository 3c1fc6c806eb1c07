import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** A request names one host, so that nothing in front of the server can take it for a request to another one. */

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const targets = [
  ['GET', '/healthz'],
  ['GET', '/metrics'],
  ['GET', '/api/1.0/openapi.json'],
  ['GET', '/api/1.0/seller/openapi.json'],
  ['GET', '/api/1.0/client/openapi.json'],
  ['GET', '/api/1.0/website/check-auth'],
  ['POST', '/api/1.0/website/login'],
  ['GET', '/api/1.0/seller/licenses'],
  ['POST', '/api/1.0/client/init'],
  ['OPTIONS', '/api/1.0/client/init'],
  ['GET', '/licenses'],
  ['GET', '/nothing'],
] as const

async function statusOf(method: string, target: string, hosts: readonly string[], version = '1.1'): Promise<number> {
  const head = [`${method} ${target} HTTP/${version}`, ...hosts, 'content-length: 0', 'connection: close']
  const text = await new RawConnection(app.url).send(`${head.join('\r\n')}\r\n\r\n`).untilClosed()
  return Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1])
}

test.each(targets)('%s %s with two hosts is rejected, even with the same one twice', async (method, target) => {
  expect(await statusOf(method, target, ['host: signet.test'])).not.toBe(400)
  for (const second of ['host: other.test', 'Host: signet.test', 'HOST:'])
    expect(await statusOf(method, target, ['host: signet.test', second]), second).toBe(400)
  expect(await statusOf(method, target, ['host: signet.test', 'host: other.test'], '1.0')).toBe(400)
})

const noHosts = [
  'a,b',
  'a b',
  'a/b',
  'user@a',
  'a:b',
  'a:80:80',
  'a:123456',
  'http://a',
  'a?b',
  'a#b',
  '[::1',
  '"a"',
  '%',
]
test.each(noHosts)('%s is not a host', async (host) => {
  for (const [method, target] of [
    ['GET', '/healthz'],
    ['POST', '/api/1.0/client/init'],
  ] as const)
    expect(await statusOf(method, target, [`host: ${host}`])).toBe(400)
})

test.each(['signet.test', 'Signet.Test:8443', 'my_host', '127.0.0.1:3000', '[::1]', '[2001:db8::1]:443', 'a.'])(
  '%s is a host',
  async (host) => {
    expect(await statusOf('GET', '/healthz', [`host: ${host}`])).toBe(200)
  },
)

test('a target that names its own host must name the same one', async () => {
  const hosts = ['host: Signet.test']
  expect(await statusOf('GET', 'http://signet.test/healthz', hosts)).toBe(200)
  for (const target of ['http://other.test/healthz', 'http://signet.test:81/healthz', 'http:///healthz', 'x:y'])
    expect(await statusOf('GET', target, hosts), target).toBe(400)
  expect(await statusOf('POST', 'http://other.test/api/1.0/client/init', hosts)).toBe(400)
})

test('HTTP/1.0 needs no host', async () => {
  expect(await statusOf('GET', '/healthz', [], '1.0')).toBe(200)
  expect(await statusOf('GET', '/healthz', [])).toBe(400)
})
