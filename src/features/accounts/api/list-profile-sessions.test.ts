import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

test("lists the account's own live sessions with what tells them apart", async () => {
  const owner = await newOwner(app)
  await newOwner(app)
  const other = app.visitor()
  await other.send('POST', '/api/1.0/website/login', {
    body: { username: owner.username, password: owner.password, rememberMe: true },
    headers: { 'user-agent': 'Some Browser 1.0' },
  })
  const { body } = await owner.visitor.call('GET /profile/sessions')
  const now = app.now()
  expect(body.sessions).toHaveLength(2)
  const mine = body.sessions.find(({ is_current }) => is_current)
  const theirs = body.sessions.find(({ is_current }) => !is_current)
  expect(mine).toMatchObject({ ip: '127.0.0.1', remember_me: false })
  expect(theirs).toMatchObject({ user_agent: 'Some Browser 1.0', remember_me: true })
  expect(Math.abs((mine?.expires_at ?? 0) - now - 3600)).toBeLessThan(60)
  expect((theirs?.expires_at ?? 0) - (theirs?.created_at ?? 0)).toBe(7 * 86_400)
})

test('the handle is not the token, and the token is nowhere in the reply (R-SES-06)', async () => {
  const { visitor } = await newOwner(app)
  const { body } = await visitor.call('GET /profile/sessions')
  const token = /sid=([^;]+)/.exec(visitor.cookieHeader())?.[1] as string
  expect(JSON.stringify(body)).not.toContain(token)
  const cookie = `sid=${body.sessions[0]?.session_id}`
  const { status } = await app.visitor().send('GET', '/api/1.0/website/check-auth', { headers: { cookie } })
  expect(status).toBe(401)
})

test('a session that has run out is not listed', async () => {
  const owner = await newOwner(app)
  const remembered = app.visitor()
  await remembered.call('POST /login', {
    body: { username: owner.username, password: owner.password, rememberMe: true },
  })
  app.advance(3601)
  const { body } = await remembered.call('GET /profile/sessions')
  expect(body.sessions).toMatchObject([{ is_current: true }])
})

test('a session that a shorter timeout has ended is not listed, and not counted as ended by its owner', async () => {
  const { visitor: old, username, password } = await newOwner(app)
  app.advance(3000)
  expect((await old.call('GET /check-auth')).status).toBe(200)
  app.advance(1000)
  const visitor = app.visitor()
  await visitor.call('POST /login', { body: { username, password } })
  app.advance(60)
  await setPlatform(app, 'security', { sessionTimeout: 1 })
  const { sessions } = (await visitor.call('GET /profile/sessions')).body
  expect(sessions.map(({ is_current, expires_at: at }) => [is_current, at - app.now()])).toEqual([[true, 3540]])
  expect((await old.call('GET /check-auth')).status).toBe(401)
  expect((await visitor.call('POST /profile/sessions/end-others')).body.ended).toBe(0)
  expect((await visitor.call('POST /logout-all')).body.ended).toBe(1)
  await setPlatform(app, 'security', {})
})

test('a stranger is rejected', async () => {
  expectRejected(await app.visitor().call('GET /profile/sessions'), 'sessions', 401)
})
