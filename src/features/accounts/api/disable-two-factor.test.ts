import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import type { Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import {
  hostileCredentials,
  newOwnerWithTwoFactor,
  type SecondFactor,
  turnOnTwoFactor,
} from '#testing/people/two-factor.ts'

let app: TestApp
let owner: Owner & SecondFactor

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => void (owner = await newOwnerWithTwoFactor(app)))

const disable = (password: string, code: string) =>
  owner.visitor.call('POST /profile/two-factor/disable', { body: { password, code } })
const isOn = async () => (await owner.visitor.call('GET /profile/two-factor')).body.enabled
const signIn = () => app.visitor().call('POST /login', { body: { username: owner.username, password: owner.password } })

test('the password and a code turn it off: sign-in asks for no code, and no secret or recovery code remains', async () => {
  const pending = await signIn()
  const { body } = await disable(owner.password, owner.authenticator.code())
  expect(body).toMatchObject({ success: true, code: 'TWO_FACTOR_OFF_OK', message: 'Two-factor authentication is off' })
  expect(await isOn()).toBe(false)
  expect((await signIn()).body.user?.username).toBe(owner.username)
  const finish = { pendingToken: pending.body.pendingToken as string, recoveryCode: owner.recoveryCodes[0] as string }
  expect((await owner.visitor.call('POST /login/two-factor', { body: finish })).body.code).toBe('SIGN_IN_ENDED')
  const account = await app.db.read
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow()
  expect([account.totp_secret_sealed, account.totp_enabled_at, account.totp_last_step]).toEqual([null, null, null])
  expect(
    await app.db.read.selectFrom('recovery_codes').selectAll().where('account_id', '=', owner.id).execute(),
  ).toEqual([])
})

test('a recovery code works like a code', async () => {
  expect((await disable(owner.password, owner.recoveryCodes[3] as string)).status).toBe(200)
  expect(await isOn()).toBe(false)
})

test('a wrong password or code leaves it on', async () => {
  expect((await disable('Wrong1Password', owner.authenticator.code())).body.code).toBe('PASSWORD_WRONG')
  expect((await disable(owner.password, owner.authenticator.wrongCode())).body.code).toBe('TWO_FACTOR_CODE_WRONG')
  expect(await isOn()).toBe(true)
})

test('wrong codes from one device count together with those at sign-in', async () => {
  for (let n = 0; n < 4; n++) await disable(owner.password, owner.authenticator.wrongCode())
  const { body } = await signIn()
  const finish = { pendingToken: body.pendingToken as string, code: owner.authenticator.wrongCode() }
  await owner.visitor.call('POST /login/two-factor', { body: finish })
  expect((await disable(owner.password, owner.authenticator.code())).body.code).toBe('LOGIN_COOLDOWN')
})

test('turning it on again creates a new secret and new recovery codes (R-2FA-05)', async () => {
  const before = owner.authenticator
  await disable(owner.password, before.code())
  const again = await turnOnTwoFactor(app, owner)
  expect(again.recoveryCodes).not.toEqual(owner.recoveryCodes)
  expect(again.authenticator.code(7)).not.toBe(before.code(7))
})

test('works when the platform no longer offers it, and fails for an account without it', async () => {
  await setPlatform(app, 'security', { enable2FA: false })
  expect((await disable(owner.password, owner.authenticator.code())).status).toBe(200)
  const { status, body } = await disable(owner.password, '123456')
  expect([status, body.code]).toEqual([409, 'TWO_FACTOR_OFF'])
})

test('rejects hostile input and changes nothing', async () => {
  const bodies = hostileBodies({ password: owner.password, code: '123456' }, hostileCredentials)
  await expectAllRejected(app, owner.visitor, '/profile/two-factor/disable', bodies)
})

test('rejects a caller without a session', async () => {
  const body = { password: owner.password, code: owner.authenticator.code() }
  expectRejected(await app.visitor().call('POST /profile/two-factor/disable', { body }), 'disable', 401)
})
