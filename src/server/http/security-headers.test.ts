import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
const folder = mkdtempSync(join(tmpdir(), 'signet-headers-'))
const startScript = "if (1 < 2) document.documentElement.lang = 'en'"
const startHash = `sha256-${createHash('sha256').update(startScript).digest('base64')}`

beforeAll(async () => {
  const page = `<!doctype html><title>Signet</title><script>${startScript}</script><meta content="__LINKS__">`
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *')
  app = await startTestApp({ dashboardDir: folder, config: { publicUrl: 'https://signet.test' } })
  owner = await newOwnerWithApp(app)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const post = (path: string, ...more: string[]) =>
  lines(`POST ${path} HTTP/1.1`, 'host: x', 'connection: close', ...more)
const get = (path: string) => lines(`GET ${path} HTTP/1.1`, 'host: x', 'connection: close')

const json = 'content-type: application/json'
const requests: [string, number, string][] = [
  ['a page', 200, get('/licenses')],
  ['a file', 200, get('/robots.txt')],
  ['a file that is not there', 404, get('/nothing.js')],
  ['the health of the server', 200, get('/healthz')],
  ['a call', 401, get('/api/1.0/website/apps')],
  ['a call that is none', 404, get('/api/1.0/website/nothing')],
  ['another method', 404, lines('DELETE /api/1.0/website/apps HTTP/1.1', 'host: x', 'connection: close')],
  ['a method that nobody has heard of', 404, lines('PROPFIND / HTTP/1.1', 'host: x', 'connection: close')],
  ['a body that is too large', 413, post('/api/1.0/website/nothing', json, 'content-length: 999999999')],
  ['a malformed address', 400, get('/api/1.0/website/%zz')],
  ['a malformed address of a page', 400, get('/%')],
  ['a parameter without end', 404, get(`/api/1.0/website/profile/sessions/${'a'.repeat(600)}`)],
  ['no program', 404, post('/api/1.0/client/init', 'content-length: 0')],
  ['too large a program', 413, post('/api/1.0/client/init', 'content-length: 999999999')],
  ['a request without a host', 400, lines('GET / HTTP/1.1', 'connection: close')],
  ['two hosts, of a page', 400, lines('GET /licenses HTTP/1.1', 'host: x', 'host: y', 'connection: close')],
  [
    'an expectation that nobody fulfils',
    417,
    lines('GET / HTTP/1.1', 'host: x', 'expect: wonders', 'connection: close'),
  ],
  ['a request line that is no HTTP', 400, 'nonsense\r\n\r\n'],
  ['a version that is no HTTP', 400, lines('GET / HTTP/9.9', 'host: x')],
  ['a header with a control character', 400, lines('GET / HTTP/1.1', 'host: x', 'x: \u0001')],
  ['two lengths (smuggling)', 400, lines('POST / HTTP/1.1', 'host: x', 'content-length: 1', 'content-length: 2')],
  [
    'a length and chunks (smuggling)',
    400,
    lines('POST / HTTP/1.1', 'host: x', 'content-length: 4', 'transfer-encoding: chunked'),
  ],
  ['headers without end', 431, lines('GET / HTTP/1.1', 'host: x', `x: ${'x'.repeat(20_000)}`)],
]

describe('every reply carries the security headers (R-HDR-02)', () => {
  test.each(requests)('%s (%i)', async (_name, status, bytes) => {
    const text = await new RawConnection(app.url).send(bytes).untilClosed()
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
      'strict-transport-security': 'max-age=31536000',
      'cache-control': expect.stringMatching(/^no-(store|cache)$/),
      'x-request-id': expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    })
    expect(Object.keys(headers).filter((name) => /^(report-to|reporting-endpoints|nel)$/i.test(name))).toEqual([])
    expect(headers['content-security-policy']).not.toMatch(/report-(uri|to)/)
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
    if (status >= 400) {
      expect(JSON.parse(body)).toMatchObject({
        success: false,
        code: expect.any(String),
        requestId: headers['x-request-id'],
      })
      expect(text).not.toMatch(/\.ts|node_modules|FST_|HPE_|stack/)
    }
  })

  test("HSTS includes the platform's subdomains, but on a reseller's domain only that domain", async () => {
    const secureFor = async (host: string, path: string) => {
      const request = lines(`GET ${path} HTTP/1.1`, `host: ${host}`, 'connection: close')
      return /strict-transport-security: ([^\r]*)/.exec(
        await new RawConnection(app.url).send(request).untilClosed(),
      )?.[1]
    }
    for (const path of ['/login', '/api/1.0/website/apps']) {
      expect(await secureFor('signet.test', path)).toBe('max-age=31536000; includeSubDomains')
      expect(await secureFor('Signet.Test:443', path)).toBe('max-age=31536000; includeSubDomains')
      expect(await secureFor('keys.example', path)).toBe('max-age=31536000')
    }
  })

  test('so do replies to programs, successful and rejected', async () => {
    const program = await Program.of(app, owner)
    for (const { headers } of [await program.init(), await program.heartbeat()]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'strict-transport-security': expect.stringContaining('max-age'),
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    }
  })
})

test('a page runs only its own files and the script that was built into it, and nothing turns text into code (R-HDR-01)', async () => {
  const policy = (await fetch(`${app.url}/licenses`)).headers.get('content-security-policy') ?? ''
  const directives = Object.fromEntries(policy.split('; ').map((each) => [each.split(' ')[0], each]))
  expect(directives).toMatchObject({
    'default-src': "default-src 'none'",
    'script-src': `script-src 'self' '${startHash}'`,
    'style-src': expect.stringMatching(/^style-src 'self' 'nonce-[\w+/=]{24}'$/),
    'object-src': "object-src 'none'",
    'frame-ancestors': "frame-ancestors 'none'",
    'base-uri': "base-uri 'none'",
    'form-action': "form-action 'self'",
    'require-trusted-types-for': "require-trusted-types-for 'script'",
    'trusted-types': "trusted-types 'none'",
  })
  expect(policy).not.toMatch(/unsafe|\*/)
})

test('rejects TLS older than 1.2 (R-HDR-03)', async () => {
  const { cert, key } = selfSigned()
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  const secure = await startTestApp({ config: { tls: { certFile, keyFile } } })
  const protocol = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string | null>((resolve) => {
      const options = { minVersion: version, maxVersion: version, ca: cert, ciphers: 'DEFAULT@SECLEVEL=0' } as const
      const socket = connect({ ...options, host: '127.0.0.1', port: Number(new URL(secure.url).port) }, () => {
        resolve(socket.getProtocol())
        socket.destroy()
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
  try {
    expect(await protocol('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
    expect(await protocol('TLSv1.2')).toBe('TLSv1.2')
    expect(await protocol('TLSv1.3')).toBe('TLSv1.3')
  } finally {
    await secure.close()
  }
})
