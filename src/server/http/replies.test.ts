import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

/** What every reply of the website API has, whatever became of the request. */
let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const send = (body: unknown, headers: Record<string, string> = {}, path = '/create_subscription') =>
  owner.visitor.send('POST', `/api/1.0/website${path}`, { body, headers })

const replies: [string, number, () => Promise<Answer>][] = [
  ['a success', 200, () => owner.visitor.send('GET', '/api/1.0/website/apps')],
  ['bad input', 400, () => send({ name: 5 })],
  ['broken JSON', 400, () => send('{"name":')],
  ['no session', 401, () => app.visitor().send('GET', '/api/1.0/website/apps')],
  ['a forgery', 403, () => send({ name: 'x' }, { 'x-csrf-token': '' })],
  ['an unknown address', 404, () => owner.visitor.send('GET', '/api/1.0/website/nothing')],
  ['an unknown address outside the API', 404, () => owner.visitor.send('GET', '/nothing.php')],
  ['another method', 404, () => owner.visitor.send('PUT', '/api/1.0/website/create_subscription', { body: {} })],
  ['something taken', 409, () => send({ level: 1, name: 'Other' })],
  ['a body that is too large', 413, () => send(`{"name":"${'x'.repeat(3_000_000)}"}`)],
  ['a form', 415, () => send('name=x', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['a failure of the server', 500, () => withoutTable(app.db, 'subscriptions', () => send({ name: 'x' }))],
]

describe.each(replies)('%s (%i)', (_name, status, make) => {
  let answer: Answer
  beforeAll(async () => {
    answer = await make()
  })

  test('has its status and, if it is an error, the shape of every error without internal details', () => {
    expect(answer.status).toBe(status)
    if (status !== 200) expectRejected(answer, status, status)
    const text = JSON.stringify(answer.body)
    expect(text).not.toMatch(
      /\bat .*:\d+|node:|\.ts\b|\/src\/|SqliteError|ERR_|FST_|stack|select |insert into|subscriptions_away|no such table|relation /i,
    )
  })

  test('carries the security headers and lets no other origin read it (R-HDR-01, R-HDR-02, R-CSRF-06)', () => {
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'permissions-policy': expect.stringContaining('camera=()'),
      'content-type': 'application/json; charset=utf-8',
    })
    expect(answer.headers.get('x-powered-by')).toBeNull()
    expect(answer.headers.get('server')).toBeNull()
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('has a request ID, in the header and, if it is an error, in the body (R-HDR-04)', () => {
    const id = answer.headers.get('x-request-id')
    expect(id).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    if (status !== 200) expect(answer.body.requestId).toBe(id)
  })
})

test('API replies are never cached', async () => {
  expect((await owner.visitor.call('GET /apps')).headers.get('cache-control')).toBe('no-store')
  expect((await send({ name: 5 })).headers.get('cache-control')).toBe('no-store')
})

test("the server creates request IDs: a caller can't choose one or inject a line into the log with it", async () => {
  const { headers } = await owner.visitor.send('GET', '/api/1.0/website/apps', {
    headers: { 'x-request-id': 'chosen-by-me', 'request-id': 'chosen' },
  })
  expect(headers.get('x-request-id')).not.toContain('chosen')
})

describe('JSON that attacks the parser is rejected without a 5xx and changes nothing', () => {
  const large = 'x'.repeat(90_000)
  test.each<[string, string]>([
    ['nothing', ''],
    ['a blank', ' '],
    ['half an object', '{"name":"x"'],
    ['two objects', '{"name":"x"}{"name":"y"}'],
    ['a comment', '{"name":"x"/* y */}'],
    ['single quotes', "{'name':'x'}"],
    ['NaN', '{"level":NaN,"name":"x"}'],
    ['a number past all bounds', '{"level":1e999,"name":"x"}'],
    ['a BOM in the middle', '{"name"\uFEFF:"x"}'],
    ['__proto__', '{"__proto__":{"name":"x"},"name":"x"}'],
    ['__proto__ in disguise', '{"\\u005f_proto__":{"name":"x"},"name":"x"}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"name":"x"}},"name":"x"}'],
    ['nested 50,000 deep', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['16,000 objects deep', `{"name":${'{"a":'.repeat(16_000)}1${'}'.repeat(16_000)}}`],
    ['a text of 90 KB', `{"name":"${large}"}`],
    ['a field name of 90 KB', `{"${large}":1,"name":"x"}`],
    ['9,000 fields', `{${Array.from({ length: 9000 }, (_, n) => `"f${n}":1`).join(',')}}`],
    ['a NUL', '{"name":"a\\u0000b"}'],
    ['a lone surrogate in a number', '{"level":"\\ud800","name":"x"}'],
  ])('%s', async (_name, text) => {
    const before = await databaseDigest(app.db)
    expectRejected(await send(text, { 'content-type': 'application/json' }), _name)
    expect(await databaseDigest(app.db)).toBe(before)
    expect(({} as Record<string, unknown>)['name']).toBeUndefined()
  })

  test.each(['application/json', 'application/json; charset=utf-8'])(
    'a body with the content type %s can be empty',
    async (type) => {
      const post = (path: string, body: string | undefined) =>
        owner.visitor.send('POST', `/api/1.0/website${path}`, { body, headers: { 'content-type': type } })
      for (const body of ['', undefined]) {
        expect((await post('/alerts/run-detection', body)).status).toBe(200)
        expect((await post('/create_subscription', body)).body.code).toBe('SUBSCRIPTION_NAME_REQUIRED')
      }
      expect((await post('/alerts/run-detection', ' ')).body.code).toBe('INVALID_JSON')
    },
  )

  test("bytes that aren't UTF-8 are never read as another text", async () => {
    const response = await fetch(`${app.url}/api/1.0/website/create_subscription`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-csrf-token': owner.visitor.csrf,
        cookie: owner.visitor.cookieHeader(),
      },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    })
    expect(response.status).toBe(400)
  })
})

describe('paths that attack the router', () => {
  test.each([
    '/api/1.0/website/%',
    '/api/1.0/website/%c0%ae%c0%ae/apps',
    '/api/1.0/website/..%2f..%2fetc/passwd',
    `/api/1.0/website/${'a'.repeat(5000)}`,
    '/api/1.0/website/apps%00',
    '//evil.example/x',
    '/api/1.0/website/profile/sessions/%E0%A4%A',
  ])('%s gets an error of the usual shape', async (path) => {
    const answer = await owner.visitor.send('GET', path)
    expect([400, 401, 404, 414]).toContain(answer.status)
    expectRejected(answer, path, answer.status)
  })

  test("a request line that isn't HTTP gets only a bare 400", async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () =>
        socket.end('GET / HTTP/9.9\r\nHost: x\r\nX: \x00\r\n\r\n'),
      )
      socket.on('data', (batch) => (received += batch.toString()))
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).not.toMatch(/\.ts|node_modules|stack/i)
  })
})
