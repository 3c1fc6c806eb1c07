import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import {
  expectAllRejected,
  expectRejected,
  hostileBodies,
  notTexts,
  seen,
  strangeTexts,
} from '#testing/faults/hostile-input.ts'
import { goodPassword, newOwner, type Owner } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Visitor } from '#testing/people/visitor.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app, 'Maria_Login')
})
// Neither the failed attempts nor the calls of one test count in the next.
beforeEach(() => app.advance(3600))
afterAll(() => app.close())

const login = (visitor: Visitor, username: string, password: string, more: object = {}) =>
  visitor.send('POST', '/api/1.0/website/login', { body: { username, password, ...more } })

describe('signing in', () => {
  test('returns the account and its type, with the specified message', async () => {
    const visitor = app.visitor()
    const { status, body } = await login(visitor, 'Maria_Login', goodPassword)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      code: 'LOGIN_OK',
      message: 'Login successful! Welcome back.',
      userType: 'owner',
    })
    expect(body['user']).toMatchObject({ id: owner.id, ownerid: owner.id, username: 'Maria_Login', role: 'owner' })
    expect((await visitor.call('GET /check-auth')).body.user.id).toBe(owner.id)
  })

  test.each(['maria_login', 'MARIA_LOGIN', ' Maria_Login ', 'maria_login@example.com', 'MARIA_LOGIN@EXAMPLE.COM'])(
    "%j is the same account: case doesn't matter, and the email address works too",
    async (name) => expect((await login(app.visitor(), name, goodPassword)).status).toBe(200),
  )

  test.each(['CORRECT7HORSE', ' Correct7Horse', 'Correct7Horse ', 'Correct7Hors', 'Correct7Horse\u0301'])(
    '%j is a different password',
    async (password) => expect((await login(app.visitor(), 'Maria_Login', password)).status).toBe(403),
  )

  test('the reply and the database hold neither the password nor the session token (R-SES-01)', async () => {
    const visitor = app.visitor()
    const { body } = await login(visitor, 'Maria_Login', goodPassword)
    const token = /sid=([^;]+)/.exec(visitor.cookieHeader())?.[1] ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(body)).not.toContain(token)
    expect(JSON.stringify(body)).not.toMatch(/password|argon2/i)
    const sessions = JSON.stringify(await app.db.read.selectFrom('account_sessions').selectAll().execute())
    expect(sessions).not.toContain(token)
    expect(sessions).toContain(sessionHash(token))
    const accounts = JSON.stringify(await app.db.read.selectFrom('accounts').selectAll().execute())
    expect(accounts).not.toContain(goodPassword)
    expect(accounts).toContain('$argon2id$v=19$')
  })

  test('the cookie is only for this server, hidden from scripts, and persistent only with "remember me" (R-SES-02)', async () => {
    const plain = (await login(app.visitor(), 'Maria_Login', goodPassword)).headers.getSetCookie().join('\n')
    expect(plain).toMatch(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/im)
    const remembered = (await login(app.visitor(), 'Maria_Login', goodPassword, { rememberMe: true })).headers
    expect(remembered.getSetCookie().join('\n')).toMatch(
      /^sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/im,
    )
  })

  test("replaces and ends the browser's previous session (R-SES-03)", async () => {
    const visitor = app.visitor()
    await login(visitor, 'Maria_Login', goodPassword)
    const before = visitor.cookieHeader()
    await login(visitor, 'Maria_Login', goodPassword)
    expect(visitor.cookieHeader()).not.toBe(before)
    const old = await app.visitor().send('GET', '/api/1.0/website/check-auth', { headers: { cookie: before } })
    expect(old.status).toBe(401)
  })

  test('is recorded in the audit, without the password', async () => {
    await login(app.visitor(), 'Maria_Login', goodPassword)
    const rows = await app.db.read.selectFrom('audit').selectAll().where('act', '=', 'account.login').execute()
    expect(rows.at(-1)).toMatchObject({ actor_id: owner.id, owner_id: owner.id, target: 'Maria_Login' })
    expect(JSON.stringify(rows)).not.toContain(goodPassword)
  })
})

describe('rejecting', () => {
  test('a wrong password and an unknown account look the same, and no session starts (R-AUTH-04)', async () => {
    const wrong = await login(app.visitor(), 'Maria_Login', 'Wrong7Password')
    const unknown = await login(app.visitor(), 'nobody_at_all', 'Wrong7Password')
    expect(wrong.body).toMatchObject({ code: 'LOGIN_FAILED', message: 'Invalid username or password' })
    expectRejected(wrong, 'wrong password', 403)
    expect(seen(wrong)).toBe(seen(unknown))
    for (const { headers } of [wrong, unknown]) expect(headers.getSetCookie().join()).not.toContain('sid=')
  })

  test.each([
    ['', goodPassword],
    ['   ', goodPassword],
    ['Maria_Login', ''],
    ['', ''],
  ])('requires both: name %j with password %j', async (username, password) => {
    const answer = await login(app.visitor(), username, password)
    expectRejected(answer, username)
    expect(answer.body).toMatchObject({
      code: 'LOGIN_FIELDS_REQUIRED',
      message: 'Username and password are required',
    })
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const valid = { username: 'Maria_Login', password: goodPassword, rememberMe: true }
    const notFlags = ['true', 1, 0, null, [], {}, 1e308, 'NaN']
    await expectAllRejected(
      app,
      app.visitor(),
      '/login',
      hostileBodies(valid, {
        username: [...notTexts, 'u'.repeat(255)],
        password: [...notTexts, 'p'.repeat(1025)],
        rememberMe: notFlags,
      }).slice(0, 55),
    )
  })

  test.each(strangeTexts)('the name %j belongs to no account', async (name) => {
    expect((await login(app.visitor(), name, goodPassword)).body.code).toBe('LOGIN_FAILED')
    expect((await login(app.visitor(), 'Maria_Login', name)).body.code).toBe('LOGIN_FAILED')
  })

  test('a banned account learns of the ban only with the right password, and gets no session (R-AUTH-14)', async () => {
    const banned = await newOwner(app)
    await setAccountBanned(app, banned.id, true)
    const right = await login(app.visitor(), banned.username, goodPassword)
    expect(right).toMatchObject({
      status: 403,
      body: { code: 'ACCOUNT_BANNED', message: 'This account has been banned' },
    })
    expect((await login(app.visitor(), banned.username, 'Wrong7Password')).body.code).toBe('LOGIN_FAILED')
    await setAccountBanned(app, banned.id, false)
    expect((await login(app.visitor(), banned.username, goodPassword)).status).toBe(200)
  })

  test('a network has 60 attempts a minute, for any names', async () => {
    const plain = await startTestApp({ config: { limits: readConfig({}).limits } })
    const visitor = plain.visitor()
    const answers = []
    for (let n = 0; n < 61; n++) answers.push(await login(visitor, '', ''))
    await plain.close()
    expect(answers.slice(0, 60).every(({ status }) => status === 400)).toBe(true)
    expect(answers[60]).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(answers[60]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
