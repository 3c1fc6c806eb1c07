import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteOldSessions } from '#features/session-store/session-store.actions.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program, type ProgramAnswer } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Sessions that expired while the program slept. */

let app: TestApp
let owner: OwnedApp
let program: Program
let key: string

const length = 3600
const day = 86_400

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  program = await Program.of(app, owner)
  ;[key = ''] = await newLicenses(owner, 1)
  await program.init()
  await program.license(key)
})
afterAll(() => app.close())

const renew = (change: object = {}): Promise<ProgramAnswer> =>
  program.send('renew', { version: '1.0.0', hwid: program.hwid, ...change })
const asOwner = (call: string, body: object) => owner.visitor.send('POST', `/api/1.0/website/${call}`, { body })
const sleep = (seconds: number) => app.advance(seconds)

test("another machine can't renew a session, nor can a program that says nothing about its machine", async () => {
  sleep(length + 1)
  expect(await renew({ hwid: 'another-machine-altogether' })).toMatchObject({
    status: 403,
    body: { code: 'HWID_MISMATCH' },
  })
  expect(await renew({ hwid: undefined })).toMatchObject({ status: 400, body: { code: 'HWID_REQUIRED' } })
  expect((await program.heartbeat()).body.code).toBe('SESSION_EXPIRED')
  expect((await renew()).status).toBe(200)
})

test('without the HWID lock, the session is still bound to its machine', async () => {
  await asOwner('update_app', { settings: { hwidLock: false } })
  sleep(length + 1)
  for (const hwid of ['another-machine-altogether', undefined]) {
    expect((await renew({ hwid })).body.code).toBe('HWID_MISMATCH')
  }
  expect((await renew()).status).toBe(200)
})

test.each<[string, string, () => Promise<unknown>]>([
  ['was banned', 'USER_BANNED', () => asOwner('toggle_ban_user', { username: key })],
  ['has a banned license', 'LICENSE_BANNED', () => asOwner('toggle_ban_license', { licenseKey: key })],
  ['was deleted', 'SESSION_ENDED', () => asOwner('delete_user', { username: key })],
  ['has no time left', 'SUBSCRIPTION_EXPIRED', async () => sleep(5 * day)],
  ['runs an old version', 'VERSION_OUTDATED', () => asOwner('update_app', { settings: { version: '2.0.0' } })],
  ['runs a disabled app', 'APP_DISABLED', () => asOwner('update_app', { settings: { appStatus: false } })],
  [
    'runs another file',
    'HASH_MISMATCH',
    () => asOwner('update_app', { settings: { hashCheck: true, hashToCheck: 'a'.repeat(64) } }),
  ],
])('a user who meanwhile %s is rejected with %s, and the session stays expired', async (_, code, happen) => {
  if (code === 'SUBSCRIPTION_EXPIRED') {
    ;[key = ''] = await newLicenses(owner, 1, { duration: 2 })
    await program.init()
    await program.license(key)
  }
  sleep(length + 1)
  await happen()
  expect((await renew()).body.code).toBe(code)
  expect((await program.heartbeat()).body.success).toBe(false)
})

test('what ended the session for good also ends its renewal: a sign-in elsewhere, the owner, signing out', async () => {
  sleep(length + 1)
  const elsewhere = await Program.of(app, owner)
  await elsewhere.init()
  await elsewhere.license(key)
  expect((await renew()).body.code).toBe('SESSION_REPLACED')

  sleep(length + 1)
  program = elsewhere
  await owner.visitor.call('POST /sessions/bulk-delete', { body: { filter: {} } })
  expect((await renew()).body.code).toBe('SESSION_ENDED')

  await program.init()
  await program.license(key)
  await program.logout()
  expect((await renew()).body.code).toBe('SESSION_ENDED')
})

test('a session that never signed in has nothing to renew', async () => {
  await program.init()
  sleep(length + 1)
  expect(await renew()).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
})

test('revives the session of a program that slept: the same token works again (PRG-42)', async () => {
  sleep(3 * day)
  expect((await program.heartbeat()).body.code).toBe('SESSION_EXPIRED')
  const { status, body } = await renew()
  expect(status).toBe(200)
  expect(body).toMatchObject({ expiresAt: expect.closeTo(app.now() + length, -1), user: { username: key } })
  expect((await program.heartbeat()).body.success).toBe(true)
  // A lost answer: asking again is fine.
  expect((await renew()).status).toBe(200)
})

test('a renewal ends with the week after the session expired (PRG-43)', async () => {
  sleep(length + 6 * day)
  await deleteOldSessions(app.db, app.now())
  expect((await renew()).status).toBe(200)
  sleep(length + 7 * day + 60)
  await deleteOldSessions(app.db, app.now())
  expect((await renew()).body.code).toBe('SESSION_ENDED')
})

test('a renewal is rejected after that week, also before the session is deleted (PRG-43)', async () => {
  sleep(length + 7 * day - 60)
  expect((await renew()).status).toBe(200)
  sleep(length + 7 * day + 60)
  expect(await renew()).toMatchObject({ status: 401, body: { code: 'SESSION_EXPIRED' } })
})

test('a session goes on with a license that lets the user run, if that of its sign-in has run out', async () => {
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Second', active: true } })
  const [second = ''] = await newLicenses(owner, 1, { subscription: 2 })
  await program.send('upgrade', { licenseKey: second })
  await asOwner('update_license', { licenseKey: key, expiry: 60 })
  sleep(length + 1)
  expect((await renew()).status).toBe(200)
  await asOwner('delete_license', { licenseKey: key })
  expect((await program.heartbeat()).body.success).toBe(true)
})

test('the list leaves out what expired more than a day ago', async () => {
  const listed = async () => (await owner.visitor.call('GET /sessions')).body
  sleep(length + day - 60)
  expect(await listed()).toMatchObject({ total: 1, counts: { expired: 1 } })
  sleep(120)
  expect(await listed()).toMatchObject({ total: 0, counts: { expired: 0 } })
})

test('20 renewals at once are all answered, and one session remains', async () => {
  sleep(length + 1)
  const answers = await Promise.all(Array.from({ length: 20 }, () => renew()))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect((await owner.visitor.call('GET /sessions')).body.counts).toMatchObject({ active: 1 })
})
