import { createSecretKey } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { isCrossSite, CsrfTokens } from './csrf.ts'

let app: TestApp
let owner: OwnedApp
let digest: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
beforeEach(async () => {
  digest = await databaseDigest(app.db)
})
afterAll(() => app.close())

let made = 0
const create = (headers: Record<string, string> = {}, body: unknown = { name: `Level ${++made}` }) =>
  owner.visitor.send('POST', '/api/1.0/website/create_subscription', { body, headers })

async function expectForgery(headers: Record<string, string>): Promise<void> {
  const answer = await create(headers)
  expectRejected(answer, headers, 403)
  expect(answer.body).toMatchObject({
    code: 'CSRF_INVALID',
    message: 'This request could not be verified. Please try again.',
  })
  expect(await databaseDigest(app.db)).toBe(digest)
}

describe('a token', () => {
  test('comes with every website reply, whether success, rejection, or without a session (R-CSRF-02)', async () => {
    for (const visitor of [owner.visitor, app.visitor()]) {
      for (const path of ['/check-auth', '/apps', '/nothing-here']) {
        const { headers } = await visitor.send('GET', `/api/1.0/website${path}`)
        expect(headers.get('x-csrf-token'), path).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
      }
    }
  })

  test('is valid for 50 parallel calls, because polling and parallel calls share one', async () => {
    const token = owner.visitor.csrf
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ 'x-csrf-token': token })))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  })

  test('an older one of the same session is still valid', async () => {
    const old = owner.visitor.csrf
    await owner.visitor.call('GET /apps')
    expect(owner.visitor.csrf).not.toBe(old)
    expect((await create({ 'x-csrf-token': old })).status).toBe(200)
  })

  test('is required by every call that changes something: a missing, made-up, or changed one is rejected without effect', async () => {
    const { csrf } = owner.visitor
    const [random = '', signature = ''] = csrf.split('.')
    const wrong = [
      '',
      'x',
      '.',
      `${random}.`,
      `.${signature}`,
      `${random}.${signature.slice(1)}`,
      `${random.startsWith('x') ? 'y' : 'x'}${random.slice(1)}.${signature}`,
      `${signature}.${random}`,
      'null',
      'undefined',
    ]
    for (const token of wrong) await expectForgery({ 'x-csrf-token': token })
  })

  test('of another session is rejected, and so is one without a session (R-CSRF-01)', async () => {
    const other = await newOwnerWithApp(app)
    const stranger = app.visitor()
    await stranger.send('GET', '/api/1.0/website/check-auth')
    digest = await databaseDigest(app.db)
    await expectForgery({ 'x-csrf-token': other.visitor.csrf })
    await expectForgery({ 'x-csrf-token': stranger.csrf })
  })

  test('ends with its session', async () => {
    const other = await newOwnerWithApp(app)
    const old = other.visitor.csrf
    await other.visitor.call('POST /logout')
    await other.visitor.call('POST /login', { body: { username: other.username, password: other.password } })
    const answer = await other.visitor.send('POST', '/api/1.0/website/logout', { headers: { 'x-csrf-token': old } })
    expect(answer.body.code).toBe('CSRF_INVALID')
  })

  test("is required for login too (R-CSRF-01), so that nobody is signed in to somebody else's account", async () => {
    const answer = await app.visitor().send('POST', '/api/1.0/website/login', {
      body: { username: owner.username, password: owner.password },
      headers: { 'x-csrf-token': '' },
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'CSRF_INVALID' } })
    expect(answer.headers.getSetCookie().join()).not.toContain('sid=')
  })
})

describe("the browser's statement of a request's origin (R-CSRF-03)", () => {
  test.each(['cross-site', 'same-site', 'CROSS-SITE', 'other', ''])(
    'rejects Sec-Fetch-Site %j without effect',
    async (site) => {
      await expectForgery({ 'sec-fetch-site': site })
    },
  )

  test.each([
    'https://evil.example',
    'null',
    'http://signet.test.evil.example',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'https://signet.test',
    'file://',
  ])('rejects Origin %j without effect', async (origin) => expectForgery({ origin }))

  test('accepts its own', async () => {
    const own: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://signet.test' },
      { origin: app.url },
    ]
    for (const headers of own) {
      expect((await create(headers)).status, JSON.stringify(headers)).toBe(200)
    }
  })
})

describe('requests that a form on another site could send (R-CSRF-04)', () => {
  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/html',
    'application/xml',
    'application/octet-stream',
  ])('rejects %s without effect, even with a token', async (type) => {
    const answer = await create({ 'content-type': type }, 'name=Forged')
    expectRejected(answer, type, 415)
    expect(answer.body).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send application/json' })
    expect(await databaseDigest(app.db)).toBe(digest)
  })

  test('rejects text/plain, which can hold JSON and needs no preflight, without effect (R-CSRF-04)', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'text/plain;application/json' }]) {
      const answer = await create(headers, '{"name":"Forged"}')
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(await databaseDigest(app.db)).toBe(digest)
    }
  })

  test('no changing call can be made with GET or a method override', async () => {
    const get = await owner.visitor.send('GET', '/api/1.0/website/create_subscription', { query: { name: 'Forged' } })
    expect(get.status).toBe(404)
    await owner.visitor.send('GET', '/api/1.0/website/subscriptions', { headers: { 'x-http-method-override': 'POST' } })
    expect(await databaseDigest(app.db)).toBe(digest)
  })
})

describe('the parts', () => {
  test('a token is valid only for its own session and key', () => {
    const tokens = new CsrfTokens(createSecretKey(Buffer.alloc(32, 1)))
    const token = tokens.issue('session one')
    expect(tokens.isValid(token, 'session one')).toBe(true)
    expect(tokens.isValid(token, 'session two')).toBe(false)
    expect(new CsrfTokens(createSecretKey(Buffer.alloc(32, 2))).isValid(token, 'session one')).toBe(false)
    expect(tokens.isValid(undefined, 'session one')).toBe(false)
    expect(tokens.issue('session one')).not.toBe(token)
  })

  test('a token has one spelling: any changed, added, or removed character makes it invalid', () => {
    const tokens = new CsrfTokens(createSecretKey(Buffer.alloc(32, 1)))
    const token = tokens.issue('session')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let at = 0; at < token.length; at++) {
      for (const other of [...alphabet, '', '.', '=', ' ']) {
        const changed = token.slice(0, at) + other + token.slice(at + 1)
        if (changed !== token) expect(tokens.isValid(changed, 'session'), changed).toBe(false)
      }
    }
    for (const end of ['.', '.x', '=', ' ']) expect(tokens.isValid(token + end, 'session')).toBe(false)
  })

  test.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
    [{ origin: 'https://signet.test' }, false],
    [{ origin: 'https://SIGNET.test' }, false],
    [{ origin: 'nonsense' }, true],
    [{ 'sec-fetch-site': ['same-origin', 'cross-site'] }, true],
  ])('%j is from another site: %s', (headers, crossSite) => {
    expect(isCrossSite(headers, 'https://signet.test', 'signet.test')).toBe(crossSite)
  })
})
