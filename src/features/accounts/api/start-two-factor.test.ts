import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { Authenticator, turnOnTwoFactor } from '#testing/people/two-factor.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  await setPlatform(app, 'security', { enable2FA: true })
  owner = await newOwner(app)
})

const start = () => owner.visitor.call('POST /profile/two-factor/start')
const secretInDatabase = async () =>
  (
    await app.db.read
      .selectFrom('accounts')
      .select('totp_secret_sealed')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
  ).totp_secret_sealed

test('returns a new 160-bit secret and its URI for an authenticator app (R-2FA-01)', async () => {
  const { body } = await start()
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(body.otpauthUrl).toBe(
    `otpauth://totp/Signet:${owner.username}?secret=${body.secret}&issuer=Signet&algorithm=SHA1&digits=6&period=30`,
  )
})

test('the secret is sealed at rest (R-SEC-01), and sign-in needs no code until one is confirmed', async () => {
  const { body } = await start()
  const sealed = await secretInDatabase()
  expect(sealed).toMatch(/^v1\./)
  expect(sealed).not.toContain(body.secret)
  const login = { username: owner.username, password: owner.password }
  expect((await app.visitor().call('POST /login', { body: login })).body.user?.username).toBe(owner.username)
})

test('starting again creates another secret and invalidates the first', async () => {
  const first = await start()
  const second = await start()
  expect(second.body.secret).not.toBe(first.body.secret)
  const code = new Authenticator(app, first.body.secret).code()
  expect((await owner.visitor.call('POST /profile/two-factor/confirm', { body: { code } })).body.code).toBe(
    'TWO_FACTOR_CODE_WRONG',
  )
})

test("can't be restarted while it is on, which would lock the owner out or let an attacker in", async () => {
  await turnOnTwoFactor(app, owner)
  const before = await secretInDatabase()
  const { status, body } = await start()
  expect([status, body.code]).toEqual([409, 'TWO_FACTOR_ON_ALREADY'])
  expect(await secretInDatabase()).toBe(before)
})

test('needs a recent sign-in (R-2FA-05)', async () => {
  app.advance(301)
  expect((await start()).body.code).toBe('REAUTH_REQUIRED')
  expect(await secretInDatabase()).toBeNull()
})

test("can't be started while an administrator doesn't allow it", async () => {
  await setPlatform(app, 'security', { enable2FA: false })
  const { status, body } = await start()
  expect([status, body.code]).toEqual([403, 'TWO_FACTOR_UNAVAILABLE'])
  expect(await secretInDatabase()).toBeNull()
})

test('rejects unexpected bodies and changes nothing', async () => {
  await expectAllRejected(app, owner.visitor, '/profile/two-factor/start', [
    { secret: 'AAAA' },
    [],
    '"text"',
    '5',
    'null',
  ])
})

test('rejects a caller without a session', async () => {
  expectRejected(await app.visitor().call('POST /profile/two-factor/start'), 'start', 401)
})
