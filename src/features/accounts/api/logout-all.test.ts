import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

test("ends every session of the account, including the current one, and no other account's", async () => {
  const owner = await newOwner(app)
  const bystander = await newOwner(app)
  const other = app.visitor()
  await other.call('POST /login', { body: { username: owner.username, password: owner.password, rememberMe: true } })
  const oldCookie = owner.visitor.cookieHeader()
  const { body } = await owner.visitor.call('POST /logout-all')
  expect(body).toMatchObject({
    success: true,
    code: 'LOGOUT_ALL_OK',
    message: 'Logged out from all devices',
    ended: 2,
  })
  expect((await other.call('GET /check-auth')).status).toBe(401)
  expect((await owner.visitor.call('GET /check-auth')).status).toBe(401)
  expect(owner.visitor.cookieHeader()).not.toContain('sid=')
  const replay = await app.visitor().send('GET', '/api/1.0/website/check-auth', { headers: { cookie: oldCookie } })
  expect(replay.status).toBe(401)
  expect((await bystander.visitor.call('GET /check-auth')).status).toBe(200)
})

test('the owner can sign in again at once', async () => {
  const { visitor, username, password } = await newOwner(app)
  await visitor.call('POST /logout-all')
  expect((await visitor.call('POST /login', { body: { username, password } })).status).toBe(200)
  expect((await visitor.call('GET /check-auth')).status).toBe(200)
})

test('rejects unexpected bodies and changes nothing', async () => {
  const { visitor } = await newOwner(app)
  await expectAllRejected(app, visitor, '/logout-all', [
    { accountId: 'x' },
    [],
    '"text"',
    'null',
    '5',
    '{"__proto__":1}',
  ])
})

test('rejects a caller without a session', async () => {
  expectRejected(await app.visitor().call('POST /logout-all'), 'logout-all', 401)
})
