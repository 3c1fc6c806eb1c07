import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setUnconfirmedSecret } from '#server/auth/second-factors.ts'
import { expectAllRejected, expectRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwner, type Owner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { Authenticator } from '#testing/people/two-factor.ts'
import { accountKind } from '../account-kind.ts'

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

test('says that a later start has replaced the secret, which costs no attempt; the later one works', async () => {
  const { body: first } = await owner.visitor.call('POST /profile/two-factor/start')
  const { body: second } = await owner.visitor.call('POST /profile/two-factor/start')
  expect(second.setupId).not.toBe(first.setupId)
  const confirmSetup = ({ secret, setupId }: typeof first) =>
    owner.visitor.call('POST /profile/two-factor/confirm', {
      body: { code: new Authenticator(app, secret).code(), setupId },
    })
  for (let n = 0; n < 6; n++) {
    const { status, body } = await confirmSetup(first)
    expect([status, body.code]).toEqual([409, 'TWO_FACTOR_SETUP_REPLACED'])
  }
  expect(await isOn()).toBe(false)
  expect((await confirmSetup(second)).body.recoveryCodes).toHaveLength(10)
})

test('a secret that replaces another while a code of that one is verified is not turned on', async () => {
  const authenticator = await started()
  const { masterKey } = app.services
  const { tables } = accountKind
  const sealed = masterKey.seal(randomBytes(20), `${tables.people}|totp_secret_sealed|${owner.id}`)
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const confirmed = await app.db.write(async (tx) => {
    await setUnconfirmedSecret(tx.db, tables, owner.id, sealed)
    const reply = confirm(authenticator.code())
    // On SQLite, transactions run one after the other.
    if (app.db.engine === 'postgres')
      await expect.poll(async () => (await waiting.execute(app.db.read)).rows.length).toBeGreaterThan(0)
    return { reply }
  })
  const { body } = await confirmed.reply
  expect(['TWO_FACTOR_SETUP_REPLACED', 'TWO_FACTOR_CODE_WRONG']).toContain(body.code)
  expect(await isOn()).toBe(false)
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
  const bodies = hostileBodies(
    { code: '123456' },
    { code: [...notTexts, '', '1'.repeat(65)], setupId: [...notTexts, '', 'x'.repeat(65)] },
  )
  await expectAllRejected(app, owner.visitor, '/profile/two-factor/confirm', bodies)
})

test('rejects a caller without a session', async () => {
  expectRejected(
    await app.visitor().call('POST /profile/two-factor/confirm', { body: { code: '123456' } }),
    'confirm',
    401,
  )
})
