import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectAllRejected, expectRejected } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { removeErasedAccounts } from '../profile.actions.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())
beforeEach(() => app.advance(61))

const rowsOf = async (table: 'accounts' | 'apps' | 'licenses' | 'users' | 'client_sessions') =>
  (await app.db.read.selectFrom(table).selectAll().execute()) as object[]
const signIn = (username: string, password: string) =>
  app.visitor().call('POST /login', { body: { username, password } })

test('the account, its sessions, its apps, and their contents are gone at once for everybody', async () => {
  const owner = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 30)
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  const other = app.visitor()
  await other.call('POST /login', { body: { username: owner.username, password: owner.password } })

  const { body } = await owner.visitor.call('POST /profile/delete-account')
  expect(body).toEqual({ success: true, code: 'ACCOUNT_DELETE_OK', message: 'Account deleted successfully' })
  for (const visitor of [owner.visitor, other]) expect((await visitor.call('GET /check-auth')).status).toBe(401)
  expect((await signIn(owner.username, owner.password)).body.code).toBe('LOGIN_FAILED')
  expect((await program.send('heartbeat', {}, { unsigned: true })).body).toMatchObject({
    success: false,
    code: 'APP_NOT_FOUND',
  })

  await removeErasedAccounts(app.services)
  for (const table of ['accounts', 'apps', 'licenses', 'users', 'client_sessions'] as const) {
    const left = JSON.stringify(await rowsOf(table))
    expect(left, table).not.toContain(owner.id)
    expect(left, table).not.toContain(owner.appId)
  }
})

test('its name and address are free at once, and a new account with them gets none of its data', async () => {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /profile/delete-account')
  const newcomer = await newOwner(app, owner.username)
  expect(newcomer.id).not.toBe(owner.id)
  expect((await newcomer.visitor.call('GET /apps')).body.apps).toEqual([])
})

test('other accounts lose nothing', async () => {
  const owner = await newOwnerWithApp(app)
  const other = await newOwnerWithApp(app)
  await newLicenses(other, 3)
  const before = (await other.visitor.call('GET /licenses')).body
  await owner.visitor.call('POST /profile/delete-account')
  await removeErasedAccounts(app.services)
  expect((await other.visitor.call('GET /licenses')).body).toEqual(before)
  expect((await signIn(other.username, other.password)).status).toBe(200)
})

test('needs a recent sign-in (R-SES-08)', async () => {
  const owner = await newOwner(app)
  app.advance(301)
  const before = await databaseDigest(app.db)
  const { status, body } = await owner.visitor.call('POST /profile/delete-account')
  expect([status, body.code]).toEqual([403, 'REAUTH_REQUIRED'])
  expect(await databaseDigest(app.db)).toBe(before)
  await owner.visitor.call('POST /profile/reauthenticate', { body: { password: owner.password } })
  expect((await owner.visitor.call('POST /profile/delete-account')).status).toBe(200)
})

test("an app created while its owner is deleted doesn't remain", async () => {
  const owner = await newOwner(app)
  const make = (n: number) => owner.visitor.call('POST /create_app', { body: { appName: `Late ${n}` } })
  const answers = await Promise.all([
    make(1),
    make(2),
    owner.visitor.call('POST /profile/delete-account'),
    make(3),
    make(4),
  ])
  expect(answers[2].status).toBe(200)
  for (const { status } of answers) expect([200, 401]).toContain(status)
  await vi.waitFor(async () => {
    await removeErasedAccounts(app.services)
    expect(JSON.stringify(await rowsOf('apps'))).not.toContain(owner.id)
    expect(JSON.stringify(await rowsOf('accounts'))).not.toContain(owner.id)
  }, 60_000)
})

test('the next cleanup removes the data of a deleted app whose removal was interrupted by an error', async () => {
  const owner = await newOwnerWithApp(app)
  await newLicenses(owner, 3)
  // As after an error between the deletion of the app and the removal of its rows.
  const deleted = { deleted_at: app.now(), name_key: 'deleted x' }
  await app.db.write((tx) => tx.db.updateTable('apps').set(deleted).where('id', '=', owner.appId).execute())
  await removeErasedAccounts(app.services)
  for (const table of ['apps', 'licenses'] as const)
    expect(JSON.stringify(await rowsOf(table)), table).not.toContain(owner.appId)
})

test('rejects unexpected bodies and changes nothing', async () => {
  const { visitor } = await newOwner(app)
  await expectAllRejected(app, visitor, '/profile/delete-account', [{ accountId: 'x' }, [], '"text"', '5', 'null'])
})

test('rejects a caller without a session', async () => {
  expectRejected(await app.visitor().call('POST /profile/delete-account'), 'delete-account', 401)
})
