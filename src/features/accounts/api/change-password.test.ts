import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, newOwnerWithApp, type Owner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: Owner
const newPassword = 'Different8Donkey'

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(61)
  owner = await newOwner(app)
})

const change = (currentPassword: string, next = newPassword, { visitor } = owner) =>
  visitor.call('POST /profile/change-password', { body: { currentPassword, newPassword: next } })
const signIn = (password: string, rememberMe = false) => {
  const visitor = app.visitor()
  return visitor
    .call('POST /login', { body: { username: owner.username, password, rememberMe } })
    .then(({ status }) => ({ status, visitor }))
}

test('the new password opens the account and the old one does not', async () => {
  const { body } = await change(owner.password)
  expect(body).toMatchObject({
    success: true,
    code: 'PASSWORD_CHANGE_OK',
    message: 'Password changed successfully',
  })
  expect((await signIn(newPassword)).status).toBe(200)
  expect((await signIn(owner.password)).status).toBe(403)
})

test('ends every other session and gives the current one a new ID (R-SES-03, R-SES-05)', async () => {
  const { visitor: other } = await signIn(owner.password, true)
  const oldCookie = owner.visitor.cookieHeader()
  await change(owner.password)
  expect((await owner.visitor.call('GET /check-auth')).status).toBe(200)
  expect(owner.visitor.cookieHeader()).not.toBe(oldCookie)
  expect((await other.call('GET /check-auth')).status).toBe(401)
  const replay = await app.visitor().send('GET', '/api/1.0/website/check-auth', { headers: { cookie: oldCookie } })
  expect(replay.status).toBe(401)
  const { body } = await owner.visitor.call('GET /profile/sessions')
  expect(body.sessions).toHaveLength(1)
})

test('the session keeps its app and "remember me", and its CSRF token works at once', async () => {
  const withApp = await newOwnerWithApp(app)
  const remembered = app.visitor()
  await remembered.call('POST /login', {
    body: { username: withApp.username, password: withApp.password, rememberMe: true },
  })
  await remembered.call('POST /select_app', { body: { appId: withApp.appId } })
  const again = { ...withApp, visitor: remembered }
  expect((await change(withApp.password, newPassword, again)).status).toBe(200)
  expect((await remembered.call('GET /active_app')).body.app?.appId).toBe(withApp.appId)
  expect((await remembered.call('POST /create_subscription', { body: { name: 'After' } })).status).toBe(200)
  expect((await remembered.call('GET /profile/sessions')).body.sessions).toMatchObject([
    { remember_me: true, is_current: true },
  ])
})

test('a wrong current password is 403, which keeps the dashboard signed in, and is throttled like a sign-in', async () => {
  for (let n = 0; n < 5; n++) {
    const { status, body } = await change('Wrong1Password')
    expect([status, body.code]).toEqual([403, 'PASSWORD_WRONG'])
  }
  const { status, body } = await change(owner.password)
  expect([status, body.code]).toEqual([429, 'LOGIN_COOLDOWN'])
  app.advance(901)
  expect((await change(owner.password)).status).toBe(200)
})

test.each([
  ['Short1', 'NEW_PASSWORD_TOO_SHORT', 'Password must be at least 8 characters long'],
  ['', 'NEW_PASSWORD_TOO_SHORT', 'Password must be at least 8 characters long'],
  ['nouppercase1', 'PASSWORD_TOO_SIMPLE', 'Password must contain uppercase, lowercase, and number'],
  [`Aa1${'x'.repeat(254)}`, 'PASSWORD_TOO_LONG', 'Password must be at most 256 characters'],
  ['Password123', 'PASSWORD_TOO_COMMON', 'This password is too easy to guess'],
])('rejects %j as a new password', async (next, code, message) => {
  const { status, body } = await change(owner.password, next)
  expect(body).toMatchObject({ code, message, field: 'newPassword' })
  expect(status).toBe(400)
  expect((await signIn(owner.password)).status).toBe(200)
})

test('of two simultaneous changes, each that succeeds had the password that was current at that moment', async () => {
  const { visitor: other } = await signIn(owner.password)
  const answers = await Promise.all([
    change(owner.password, 'First9Password'),
    change(owner.password, 'Second9Password', { ...owner, visitor: other }),
  ])
  const won = answers.findIndex(({ status }) => status === 200)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect([401, 403]).toContain(answers[1 - won]?.status)
  expect((await signIn(['First9Password', 'Second9Password'][won] as string)).status).toBe(200)
})

test('rejects hostile input and changes nothing', async () => {
  const hostile = { currentPassword: [...notTexts, '', 'x'.repeat(1025)], newPassword: [...notTexts, 'x'.repeat(1025)] }
  const bodies = hostileBodies({ currentPassword: owner.password, newPassword }, hostile)
  await expectAllRejected(app, owner.visitor, '/profile/change-password', bodies)
})

test('rejects a caller without a session', async () => {
  expectRejected(await change(owner.password, newPassword, { ...owner, visitor: app.visitor() }), 'change', 401)
})
