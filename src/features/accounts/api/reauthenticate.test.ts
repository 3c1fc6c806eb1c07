import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { turnOnTwoFactor } from '#testing/people/two-factor.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => {
  app = await startTestApp()
  await setPlatform(app, 'security', { enable2FA: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(61)
  owner = await newOwner(app)
})

const prove = (body: { password: string; code?: string }) =>
  owner.visitor.call('POST /profile/reauthenticate', { body })
/** A call that requires a recent sign-in and can be repeated. */
const delicate = async () => (await owner.visitor.call('POST /profile/two-factor/start')).status

test('allows sensitive calls for five minutes, in this session only', async () => {
  const other = app.visitor()
  await other.call('POST /login', { body: { username: owner.username, password: owner.password } })
  app.advance(301)
  expect(await delicate()).toBe(403)
  expect((await prove({ password: owner.password })).body).toMatchObject({
    success: true,
    code: 'REAUTHENTICATE_OK',
    message: 'Thank you. You can continue.',
  })
  expect(await delicate()).toBe(200)
  expect((await other.call('POST /profile/two-factor/start')).body.code).toBe('REAUTH_REQUIRED')
  app.advance(301)
  expect(await delicate()).toBe(403)
})

test('a wrong password is 403 and allows nothing, and after five even the right one waits', async () => {
  app.advance(301)
  for (let n = 0; n < 5; n++) {
    const { status, body } = await prove({ password: 'Wrong1Password' })
    expect([status, body.code]).toEqual([403, 'PASSWORD_WRONG'])
  }
  expect((await prove({ password: owner.password })).body.code).toBe('LOGIN_COOLDOWN')
  expect(await delicate()).toBe(403)
})

test("with a second factor, the right password alone isn't enough", async () => {
  const { authenticator } = await turnOnTwoFactor(app, owner)
  app.advance(301)
  for (let n = 0; n < 7; n++) {
    const { status, body } = await prove({ password: owner.password })
    expect([status, body.code]).toEqual([403, 'TWO_FACTOR_CODE_REQUIRED'])
  }
  const wrong = await prove({ password: owner.password, code: authenticator.wrongCode() })
  expect([wrong.status, wrong.body.code]).toEqual([403, 'TWO_FACTOR_CODE_WRONG'])
  expect((await owner.visitor.call('POST /profile/delete-account')).body.code).toBe('REAUTH_REQUIRED')
  const code = authenticator.code()
  expect((await prove({ password: owner.password, code })).status).toBe(200)
  expect((await prove({ password: owner.password, code })).body.code).toBe('TWO_FACTOR_CODE_WRONG')
})

test('rejects hostile input and changes nothing', async () => {
  const hostile = { password: [...notTexts, '', 'x'.repeat(1025)], code: [...notTexts, '', 'x'.repeat(65)] }
  await expectAllRejected(
    app,
    owner.visitor,
    '/profile/reauthenticate',
    hostileBodies({ password: owner.password }, hostile),
  )
})

test('rejects a caller without a session', async () => {
  const answer = await app.visitor().call('POST /profile/reauthenticate', { body: { password: owner.password } })
  expectRejected(answer, 'reauthenticate', 401)
})
