import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { goodPassword } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

let made = 0
const form = (change: object = {}) => {
  const username = `person_${++made}`
  return { username, email: `${username}@example.com`, password: goodPassword, displayName: 'A Person', ...change }
}
const register = (body: unknown, visitor = app.visitor()) => visitor.send('POST', '/api/1.0/website/register', { body })

describe('registering', () => {
  test('creates an owner who is signed in at once, with the specified message', async () => {
    const visitor = app.visitor()
    const { status, body } = await register(
      form({ username: 'First_1', email: ' First@Example.com ', displayName: ' Ana 🦊 ' }),
      visitor,
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      code: 'REGISTER_OK',
      message: 'Account created successfully! You are now logged in.',
      userType: 'owner',
    })
    expect(body['user']).toMatchObject({
      username: 'First_1',
      email: 'First@Example.com',
      displayName: 'Ana 🦊',
      role: 'owner',
    })
    expect((await visitor.call('GET /check-auth')).body.user.username).toBe('First_1')
  })

  test('owner IDs are 10 letters and digits, which client libraries check', async () => {
    const { body } = await register(form())
    const user = body['user'] as { id: string; ownerid: string }
    expect(user.id).toMatch(/^[A-Za-z0-9]{10}$/)
    expect(user.ownerid).toBe(user.id)
  })

  test('rejects a role, a plan, and an ID', async () => {
    for (const field of ['role', 'plan', 'id', 'banned', 'created_at']) {
      const answer = await register(form({ [field]: 'admin' }))
      expectRejected(answer, field)
      expect(answer.body['field']).toBe(field)
    }
  })

  test.each([
    [{ username: 'TAKEN_ONE', email: 'other@example.com' }],
    [{ username: 'taken_one', email: 'another@example.com' }],
    [{ username: 'somebody_new', email: 'TAKEN@example.COM' }],
  ])('%j is taken in any case (409)', async (change) => {
    await register(form({ username: 'Taken_One', email: 'taken@example.com' }))
    const before = await databaseDigest(app.db)
    const answer = await register(form(change))
    expectRejected(answer, change, 409)
    expect(answer.body).toMatchObject({ code: 'ACCOUNT_TAKEN', message: 'Username or email already exists' })
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('exactly one of 6 parallel registrations of a name succeeds; the others get ACCOUNT_TAKEN', async () => {
    const visitors = Array.from({ length: 6 }, () => app.visitor())
    const body = form()
    const answers = await Promise.all(
      visitors.map((visitor, n) => register({ ...body, email: `racer${n}@example.com` }, visitor)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, body: { code } }) => status === 409 && code === 'ACCOUNT_TAKEN')).toHaveLength(5)
  })
})

describe('rejecting', () => {
  test.each([
    [{ username: '' }, 'USERNAME_REQUIRED', 'Username is required'],
    [{ username: 'ab' }, 'USERNAME_TOO_SHORT', 'Username must be at least 3 characters'],
    [{ username: 'u'.repeat(65) }, 'USERNAME_TOO_LONG', 'Username must be at most 64 characters'],
    [{ username: 'no-hyphen' }, 'USERNAME_CHARACTERS', 'Username can only contain letters, numbers, and underscores'],
    [{ email: '' }, 'EMAIL_REQUIRED', 'Email is required'],
    [{ email: 'not-an-address' }, 'EMAIL_INVALID', 'Please enter a valid email address'],
    [{ password: '' }, 'PASSWORD_REQUIRED', 'Password is required'],
    [{ password: 'Short7' }, 'PASSWORD_TOO_SHORT', 'Password must be at least 8 characters'],
    [{ password: `Aa7${'x'.repeat(254)}` }, 'PASSWORD_TOO_LONG', 'Password must be at most 256 characters'],
    [{ password: 'alllower7' }, 'PASSWORD_TOO_SIMPLE', 'Password must contain uppercase, lowercase, and number'],
    [{ displayName: ' ' }, 'DISPLAY_NAME_REQUIRED', 'Display name is required'],
    [{ displayName: 'x'.repeat(65) }, 'DISPLAY_NAME_TOO_LONG', 'Display name must be at most 64 characters'],
    [{ password: 'P@ssword2026' }, 'PASSWORD_TOO_COMMON', 'This password is too easy to guess'],
    [{ password: 'Abcd1234x', username: 'Abcd1234x' }, 'PASSWORD_TOO_COMMON', 'This password is too easy to guess'],
  ])('%j is %s: %s', async (change, code, message) => {
    const before = await databaseDigest(app.db)
    const answer = await register(form(change))
    expectRejected(answer, change)
    expect(answer.body).toMatchObject({ code, message, field: Object.keys(change)[0] })
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('rejects hostile bodies and changes nothing', async () => {
    const texts = [...notTexts, 'x'.repeat(1025)]
    const hostile = {
      username: texts,
      email: texts,
      password: texts,
      displayName: texts,
      setupToken: [5, null, [], {}, 'x'.repeat(101)],
    }
    const before = await databaseDigest(app.db)
    for (const body of hostileBodies(form(), hostile)) {
      expectRejected(await register(body), body)
    }
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('a made-up set-up token creates no administrator and no account', async () => {
    const before = await databaseDigest(app.db)
    const answer = await register(form({ setupToken: 'A'.repeat(43) }))
    expectRejected(answer, 'token', 403)
    expect(answer.body).toMatchObject({
      code: 'SETUP_TOKEN_INVALID',
      message: 'This setup link is no longer valid',
    })
    expect(await databaseDigest(app.db)).toBe(before)
  })

  test('a made-up set-up token opens no closed registration, and learns nothing about names and passwords', async () => {
    const taken = form()
    await register(taken)
    await setPlatform(app, 'platform', { registrationEnabled: false })
    const setupToken = 'A'.repeat(43)
    for (const body of [{ ...taken, setupToken }, form({ setupToken, password: 'short' }), form({ setupToken: '' })]) {
      expect((await register(body)).body.code).toBe('SETUP_TOKEN_INVALID')
    }
    await setPlatform(app, 'platform', { registrationEnabled: true })
  })

  test('nobody can register while registration is closed; opening it applies at once', async () => {
    await setPlatform(app, 'platform', { registrationEnabled: false })
    const answer = await register(form())
    expectRejected(answer, 'closed', 403)
    expect(answer.body).toMatchObject({ code: 'REGISTRATION_CLOSED', message: 'Registration is closed' })
    await setPlatform(app, 'platform', { registrationEnabled: true })
    expect((await register(form())).status).toBe(200)
  })

  test("the administrator's password rules apply", async () => {
    await setPlatform(app, 'security', { passwordMinLength: 14, requireComplexPassword: false })
    expect((await register(form())).body).toMatchObject({
      message: 'Password must be at least 14 characters',
      values: { min: 14 },
    })
    expect((await register(form({ password: 'onlysmallletters' }))).status).toBe(200)
    await setPlatform(app, 'security', { passwordMinLength: 2 })
    expect((await register(form({ password: 'Abcde7' }))).body.message).toBe('Password must be at least 8 characters')
    await setPlatform(app, 'security', {})
  })
})

describe('limits', () => {
  let plain: TestApp
  beforeAll(async () => {
    plain = await startTestApp({ config: { limits: readConfig({}).limits } })
  })
  afterAll(() => plain.close())

  test('a network can register 5 times an hour and test 5 names; other mistakes cost nothing', async () => {
    const visitor = plain.visitor()
    const taken = form()
    expect((await register(taken, visitor)).status).toBe(200)
    for (let n = 0; n < 10; n++) expect((await register(form({ password: 'short' }), visitor)).status).toBe(400)
    for (let n = 0; n < 2; n++) expect((await register(taken, visitor)).body.code).toBe('ACCOUNT_TAKEN')
    for (let n = 0; n < 2; n++) expect((await register(form(), visitor)).status).toBe(200)
    const before = await databaseDigest(plain.db)
    for (const body of [form(), taken]) {
      const rejected = await register(body, visitor)
      expectRejected(rejected, body, 429)
      expect(rejected.body).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 3600 })
    }
    expect(await databaseDigest(plain.db)).toBe(before)
    plain.advance(3599)
    expect((await register(form(), visitor)).status).toBe(429)
    plain.advance(1)
    expect((await register(form(), visitor)).status).toBe(200)
  })

  test('a network has 60 attempts a minute, whatever it sends', async () => {
    plain.advance(3600)
    const visitor = plain.visitor()
    for (let n = 0; n < 60; n++) expect((await register(form({ username: '' }), visitor)).status).toBe(400)
    expect((await register(form(), visitor)).body.code).toBe('RATE_LIMITED')
    plain.advance(60)
    expect((await register(form(), visitor)).status).toBe(200)
  })
})
