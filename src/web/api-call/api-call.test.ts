import { execFile, spawnSync } from 'node:child_process'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiCall } from './api-call.ts'
import { curlText } from './curl-text.ts'
import { pythonText } from './python-text.ts'
import { FromEnvironment } from './value-text.ts'

const run = promisify(execFile)
const python = process.env['SIGNET_PYTHON'] ?? 'python3'
const password = '\'$(id)`id`"\\\\n %s &/ ção'
const env = {
  ...process.env,
  SIGNET_COOKIE: 'sid=abc; vid=d',
  SIGNET_CSRF: 'token',
  SIGNET_USER_PASSWORD: password,
  SELLER_KEY: 'sk_test',
  SIGNET_FILE: '/tmp/a file',
}
const hasCurl = spawnSync('curl', ['--version']).status === 0

interface Heard {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

let server: Server
let origin: string
let heard: Heard[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (batch) => (body += String(batch)))
    request.on('end', () => {
      heard.push({ method: request.method, url: request.url, headers: request.headers, body })
      response.end('{"success":true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const call = (more: Partial<ApiCall> = {}): ApiCall => ({
  method: 'POST',
  url: `${origin}/api/1.0/website/create_licenses`,
  appId: 'app_1',
  idempotent: true,
  body: { amount: 3 },
  ...more,
})

/** What curl is told, without needing curl. */
async function argumentsOfCurl(text: string): Promise<string[]> {
  const script = `curl() { for part in "$@"; do printf '%s\\0' "$part"; done; }; uuidgen() { echo made-up; }; ${text}`
  const { stdout } = await run('sh', ['-c', script], { env })
  return stdout.split('\0').slice(0, -1)
}

async function sentByCurl(text: string): Promise<Heard> {
  heard = []
  const { stdout } = await run('sh', ['-c', `uuidgen() { echo made-up; }; ${text.replace('curl ', 'curl -s ')}`], {
    env,
  })
  expect(stdout).toBe('{"success":true}')
  expect(heard).toHaveLength(1)
  return heard[0] as Heard
}

async function sentByPython(text: string): Promise<Heard> {
  heard = []
  const { stdout } = await run(python, ['-c', text], { env })
  expect(stdout.trim()).toBe("{'success': True}")
  expect(heard).toHaveLength(1)
  return heard[0] as Heard
}

const bodies: unknown[] = [
  { amount: 3, mask: '\'$(id)`id`"\\####', notes: "Marta's batch\nsecond line\t\u0007\u007f", lowercase: true },
  { names: ['ç', '漢字', '👾', '\u2028', '{x}', '%s', '#', '"""', "'''", '\\', '\\n', '$HOME', '!!'] },
  { nested: { empty: {}, list: [], none: null, no: false, negative: -1, large: 253_402_300_799 } },
  {},
]

test.each(bodies)('%j arrives as it stands, from a shell and from Python', async (body) => {
  const parts = await argumentsOfCurl(curlText(call({ body })))
  expect(JSON.parse(parts[parts.indexOf('--data-raw') + 1] ?? '')).toEqual(body)
  expect(parts.slice(0, 3)).toEqual(['-X', 'POST', `${origin}/api/1.0/website/create_licenses`])
  for (const header of [
    'Cookie: sid=abc; vid=d',
    'X-CSRF-Token: token',
    'X-App-Id: app_1',
    'Idempotency-Key: made-up',
    'Content-Type: application/json',
  ]) {
    expect(parts[parts.indexOf(header) - 1], header).toBe('-H')
  }

  const { method, url, headers, body: sent } = await sentByPython(pythonText(call({ body })))
  expect([method, url]).toEqual(['POST', '/api/1.0/website/create_licenses'])
  expect(JSON.parse(sent)).toEqual(body)
  expect(headers).toMatchObject({
    cookie: 'sid=abc; vid=d',
    'x-csrf-token': 'token',
    'x-app-id': 'app_1',
    'content-type': 'application/json',
  })
  expect(headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/)
})

test.runIf(hasCurl).each(bodies)('curl and Python send the same for %j', async (body) => {
  const [one, other] = [await sentByCurl(curlText(call({ body }))), await sentByPython(pythonText(call({ body })))]
  expect([one.method, one.url]).toEqual([other.method, other.url])
  expect(JSON.parse(one.body)).toEqual(JSON.parse(other.body))
  for (const name of ['cookie', 'x-csrf-token', 'x-app-id', 'content-type']) {
    expect(one.headers[name], name).toBe(other.headers[name])
  }
  expect(one.headers['idempotency-key']).toBe('made-up')
})

test('a secret is read from its variable, whatever stands in it', async () => {
  const body = { username: 'dora', password: new FromEnvironment('SIGNET_USER_PASSWORD'), email: "o'hara@example.com" }
  const expected = { username: 'dora', password, email: "o'hara@example.com" }
  const parts = await argumentsOfCurl(curlText(call({ body })))
  expect(JSON.parse(parts[parts.indexOf('--data-raw') + 1] ?? '')).toEqual(expected)
  expect(JSON.parse((await sentByPython(pythonText(call({ body })))).body)).toEqual(expected)
})

test('what JSON cannot say is nothing, as the browser sends it', async () => {
  const body = { amount: Number.NaN, levels: [undefined, Infinity] }
  const sent = JSON.parse(JSON.stringify(body)) as unknown
  const parts = await argumentsOfCurl(curlText(call({ body })))
  expect(JSON.parse(parts[parts.indexOf('--data-raw') + 1] ?? '')).toEqual(sent)
  expect(JSON.parse((await sentByPython(pythonText(call({ body })))).body)).toEqual(sent)
})

test('fields without a value are left out, as the browser leaves them out', async () => {
  const { body } = await sentByPython(pythonText(call({ body: { amount: 1, notes: undefined } })))
  expect(JSON.parse(body)).toEqual({ amount: 1 })
})

test('a seller key is read from its variable, and no cookie is sent', async () => {
  const text = call({ scope: 'licenses:write', appId: undefined })
  const parts = await argumentsOfCurl(curlText(text))
  expect(parts).toContain('Authorization: Bearer sk_test')
  expect(parts.join()).not.toContain('Cookie')
  const { headers } = await sentByPython(pythonText(text))
  expect(headers).toMatchObject({ authorization: 'Bearer sk_test', 'content-type': 'application/json' })
  for (const name of ['cookie', 'x-csrf-token']) expect(headers[name]).toBeUndefined()
})

test('a shell sends the fields of an upload, and the file of the variable', async () => {
  const body = { name: undefined, description: "it's @file;type=x", authenticated: true }
  const parts = await argumentsOfCurl(curlText(call({ scope: 'downloads:write', upload: true, body })))
  const form = parts.slice(parts.indexOf('--form-string'))
  const texts = ['--form-string', "description=it's @file;type=x", '--form-string', 'authenticated=true']
  expect(form).toEqual([...texts, '-F', 'file=@/tmp/a file'])
  expect(parts.join()).not.toContain('Content-Type')
})

test('a call without a body, an app or a repeat says none of them', async () => {
  const plain = call({ method: 'DELETE', body: undefined, appId: undefined, idempotent: false })
  expect(await argumentsOfCurl(curlText(plain))).toEqual([
    '-X',
    'DELETE',
    plain.url,
    '-H',
    'Cookie: sid=abc; vid=d',
    '-H',
    'X-CSRF-Token: token',
  ])
  const { method, headers, body } = await sentByPython(pythonText(plain))
  expect([method, body]).toEqual(['DELETE', ''])
  for (const name of ['x-app-id', 'idempotency-key', 'content-length']) expect(headers[name]).toBeUndefined()
})
