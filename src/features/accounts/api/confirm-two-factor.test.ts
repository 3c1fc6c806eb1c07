import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { Authenticator } from '#testing/people/two-factor.ts'

let app: TestApp
let owner: Owner

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => {
  await setPlatform(app, 'security', { enable2FA: true })
  owner = await newOwner(app)
})

const confirm = (code: string) => owner.visitor.call('POST /profile/two-factor/confirm', { body: { code } })
const isOn = async () => (await owner.visitor.call('GET /profile/two-factor')).body.enabled

async function started(): Promise<Authenticator> {
  return new Authenticator(app, (await owner.visitor.call('POST /profile/two-factor/start')).body.secret)
}

test('a correct code turns it on and returns ten recovery codes', async () => {
  const authenticator = await started()
  const { body } = await confirm(authenticator.code())
  expect([body.code, body.message]).toEqual(['TWO_FACTOR_ON_OK', 'Two-factor authentication is on'])
  expect(body.recoveryCodes).toHaveLength(10)
  expect(await isOn()).toBe(true)
})

test('a wrong code turns nothing on, and five of them cause a 15-minute cooldown', async () => {
  const authenticator = await started()
  for (let n = 0; n < 5; n++) expect((await confirm(authenticator.wrongCode())).body.code).toBe('TWO_FACTOR_CODE_WRONG')
  expect((await confirm(authenticator.code())).body.code).toBe('LOGIN_COOLDOWN')
  expect(await isOn()).toBe(false)
  app.advance(901)
  expect((await confirm(authenticator.code())).status).toBe(200)
})

test('of five simultaneous confirmations, one returns recovery codes, and those are valid', async () => {
  const authenticator = await started()
  const codes = [-1, 0, 1, 0, 1].map((steps) => authenticator.code(steps))
  const answers = await Promise.all(codes.map(confirm))
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  expect((await owner.visitor.call('GET /profile/two-factor')).body.recoveryCodesLeft).toBe(10)
  const { body } = await app
    .visitor()
    .call('POST /login', { body: { username: owner.username, password: owner.password } })
  const finish = { pendingToken: body.pendingToken as string, recoveryCode: won[0]?.body.recoveryCodes[0] as string }
  app.advance(901)
  const again = await app
    .visitor()
    .call('POST /login', { body: { username: owner.username, password: owner.password } })
  expect(
    (
      await app
        .visitor()
        .call('POST /login/two-factor', { body: { ...finish, pendingToken: again.body.pendingToken as string } })
    ).status,
  ).toBe(200)
})

test('rejects a confirmation without a start', async () => {
  const { status, body } = await confirm('123456')
  expect([status, body.code]).toEqual([409, 'TWO_FACTOR_NOT_STARTED'])
})

test('rejects a second confirmation', async () => {
  const authenticator = await started()
  await confirm(authenticator.code())
  app.advance(30)
  expect((await confirm(authenticator.code())).body.code).toBe('TWO_FACTOR_ON_ALREADY')
})

test("can't be turned on while an administrator doesn't allow it", async () => {
  const authenticator = await started()
  await setPlatform(app, 'security', { enable2FA: false })
  expect((await confirm(authenticator.code())).body.code).toBe('TWO_FACTOR_UNAVAILABLE')
  expect(await isOn()).toBe(false)
})

test('rejects hostile input and changes nothing', async () => {
  await started()
  const bodies = hostileBodies({ code: '123456' }, { code: [...notTexts, '', '1'.repeat(65)] })
  await expectAllRejected(app, owner.visitor, '/profile/two-factor/confirm', bodies)
})

test('rejects a caller without a session', async () => {
  expectRejected(
    await app.visitor().call('POST /profile/two-factor/confirm', { body: { code: '123456' } }),
    'confirm',
    401,
  )
})
