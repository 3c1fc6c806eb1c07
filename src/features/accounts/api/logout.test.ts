import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { goodPassword, newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('logging out ends only this session, also for a copied cookie', async () => {
  const { visitor, username } = await newOwner(app)
  const elsewhere = app.visitor()
  await elsewhere.call('POST /login', { body: { username, password: goodPassword } })
  const copied = visitor.cookieHeader()
  const { status, body, headers } = await visitor.call('POST /logout')
  expect({ status, body }).toEqual({ status: 200, body: { success: true, code: 'LOGOUT_OK', message: 'Logged out' } })
  expect(headers.getSetCookie().join('\n')).toMatch(/^sid=; .*Expires=Thu, 01 Jan 1970/im)
  expect((await visitor.call('GET /check-auth')).status).toBe(401)
  expect((await app.visitor().send('GET', '/api/1.0/website/check-auth', { headers: { cookie: copied } })).status).toBe(
    401,
  )
  expect((await elsewhere.call('GET /check-auth')).status).toBe(200)
})

test.each(['POST /logout', 'POST /reseller/logout', 'POST /logout-all', 'POST /profile/delete-account'] as const)(
  '%s makes the browser delete what it stored for the session (R-SES-10)',
  async (call) => {
    const { visitor } = await newOwner(app)
    const { headers, status } = await visitor.call(call)
    expect([status, headers.get('clear-site-data')]).toEqual([200, '"cache", "storage"'])
  },
)

test('the CSRF token in the reply works for signing in again', async () => {
  const { visitor, username } = await newOwner(app)
  const { headers } = await visitor.call('POST /logout', { body: {} })
  expect(headers.get('x-csrf-token')).toBe(visitor.csrf)
  expect((await visitor.call('POST /login', { body: { username, password: goodPassword } })).status).toBe(200)
})

test('logging out without a session, even twice, changes nothing', async () => {
  const before = await databaseDigest(app.db)
  const visitor = app.visitor()
  for (const body of [undefined, {}]) {
    expect((await visitor.send('POST', '/api/1.0/website/logout', { body })).body.success).toBe(true)
  }
  const forged = await app
    .visitor()
    .send('POST', '/api/1.0/website/logout', { headers: { cookie: `sid=${'A'.repeat(43)}` } })
  expectRejected(forged, 'forged', 403)
  expect(await databaseDigest(app.db)).toBe(before)
})

test("rejects bodies that aren't empty, and keeps the session", async () => {
  const { visitor } = await newOwner(app)
  for (const body of [{ all: true }, [], 'text', '5', 'null', '{"__proto__":{}}', { sid: 'x' }]) {
    expectRejected(await visitor.send('POST', '/api/1.0/website/logout', { body }), body)
  }
  expect((await visitor.call('GET /check-auth')).status).toBe(200)
})

test("another site can't log an account out (R-CSRF-01)", async () => {
  const { visitor } = await newOwner(app)
  expectRejected(
    await visitor.send('POST', '/api/1.0/website/logout', { headers: { 'x-csrf-token': '' } }),
    'no token',
    403,
  )
  expect((await visitor.call('GET /check-auth')).status).toBe(200)
})
