import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAllRejected, expectRejected, hostileBodies } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { hostileCredentials, newOwnerWithTwoFactor, type SecondFactor } from '#testing/people/two-factor.ts'

let app: TestApp
let owner: Owner & SecondFactor

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(async () => void (owner = await newOwnerWithTwoFactor(app)))

const renew = (password: string, code: string) =>
  owner.visitor.call('POST /profile/two-factor/recovery-codes', { body: { password, code } })
const codesLeft = async () => (await owner.visitor.call('GET /profile/two-factor')).body.recoveryCodesLeft

async function signInWith(recoveryCode: string): Promise<number> {
  const visitor = app.visitor()
  const { body } = await visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  const finish = { pendingToken: body.pendingToken as string, recoveryCode }
  return (await visitor.call('POST /login/two-factor', { body: finish })).status
}

test('returns ten new codes that each work once; the old ones no longer work', async () => {
  const { status, body } = await renew(owner.password, owner.authenticator.code())
  expect(status).toBe(200)
  expect([body.code, body.message]).toEqual(['RECOVERY_CODES_OK', 'New recovery codes'])
  expect(body.recoveryCodes).toHaveLength(10)
  expect(new Set([...body.recoveryCodes, ...owner.recoveryCodes]).size).toBe(20)
  expect(await signInWith(owner.recoveryCodes[0] as string)).not.toBe(200)
  expect(await signInWith(body.recoveryCodes[0] as string)).toBe(200)
  expect(await signInWith(body.recoveryCodes[0] as string)).not.toBe(200)
  expect(await codesLeft()).toBe(9)
})

test('accepts a code copied from paper with 0 for O, 1 for I, and 8 for B', async () => {
  const { body } = await renew(owner.password, owner.authenticator.code())
  const readable = body.recoveryCodes.find((code) => /[OIB]/.test(code)) as string
  const misread = readable.replaceAll('O', '0').replaceAll('I', '1').replaceAll('B', '8').toLowerCase()
  expect(await signInWith(misread.replaceAll('-', ' '))).toBe(200)
  expect(await signInWith(readable)).not.toBe(200)
})

test('the last old code is enough to get new ones, once', async () => {
  const last = owner.recoveryCodes[9] as string
  expect((await renew(owner.password, last)).status).toBe(200)
  expect((await renew(owner.password, last)).body.code).toBe('TWO_FACTOR_CODE_WRONG')
  expect(await codesLeft()).toBe(10)
})

test('of two simultaneous calls with one code, one gets codes, and those are valid', async () => {
  const code = owner.authenticator.code()
  const answers = await Promise.all([renew(owner.password, code), renew(owner.password, code)])
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  expect(await signInWith(won[0]?.body.recoveryCodes[0] as string)).toBe(200)
})

test('are nowhere in the database, not even in a stored reply', async () => {
  const { body } = await owner.visitor.send<{ recoveryCodes: string[] }>(
    'POST',
    '/api/1.0/website/profile/two-factor/recovery-codes',
    { body: { password: owner.password, code: owner.authenticator.code() }, headers: { 'idempotency-key': 'codes' } },
  )
  expect(body.recoveryCodes).toHaveLength(10)
  for (const table of ['recovery_codes', 'audit', 'idempotent_replies'] as const) {
    const rows = JSON.stringify(await app.db.read.selectFrom(table).selectAll().execute())
    for (const code of body.recoveryCodes) expect(rows).not.toContain(code)
  }
})

test('a wrong password or code keeps the old ones', async () => {
  expect((await renew('Wrong1Password', owner.authenticator.code())).body.code).toBe('PASSWORD_WRONG')
  expect((await renew(owner.password, owner.authenticator.wrongCode())).body.code).toBe('TWO_FACTOR_CODE_WRONG')
  expect(await signInWith(owner.recoveryCodes[0] as string)).toBe(200)
})

test('works when the platform no longer offers it, and fails for an account without a second factor', async () => {
  await setPlatform(app, 'security', { enable2FA: false })
  expect((await renew(owner.password, owner.authenticator.code())).status).toBe(200)
  const { visitor, password } = await newOwner(app)
  const body = { password, code: '123456' }
  const answer = await visitor.call('POST /profile/two-factor/recovery-codes', { body })
  expect([answer.status, answer.body.code]).toEqual([409, 'TWO_FACTOR_OFF'])
})

test('rejects hostile input and changes nothing', async () => {
  const bodies = hostileBodies({ password: owner.password, code: '123456' }, hostileCredentials)
  await expectAllRejected(app, owner.visitor, '/profile/two-factor/recovery-codes', bodies)
})

test('rejects a caller without a session', async () => {
  const body = { password: owner.password, code: owner.authenticator.code() }
  const answer = await app.visitor().call('POST /profile/two-factor/recovery-codes', { body })
  expectRejected(answer, 'recovery-codes', 401)
})
