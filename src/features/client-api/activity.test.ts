import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { loggedCalls, messageCall } from '#features/logs/logs.rules.ts'
import { newSubscriber, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { clientBodies } from './client-calls.ts'

let app: TestApp
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  program = await Program.of(app, owner)
})
afterAll(() => app.close())

async function activity() {
  await activityLog(app.services).flush()
  // In both processes, if there are two.
  await app.jobsDone()
  const query = app.db.read.selectFrom('logs').selectAll().where('app_id', '=', owner.appId).orderBy('id')
  return query.execute()
}

test("the app's log records starts, sign-ins and sign-outs, but no heartbeats", async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await program.init()
  await program.license(key)
  await program.heartbeat()
  await program.logout()
  const rows = await activity()
  expect(rows.map(({ call, code }) => [call, code])).toEqual([
    ['init', ''],
    ['license', ''],
    ['logout', ''],
  ])
  expect(rows[1]).toMatchObject({ username: key, license: key, ip: '127.0.0.1', at: app.now() })
  expect(rows[1]?.hwid_hash).toMatch(/^[\w-]{43}$/)
  expect(rows[1]?.session).not.toBe('')
  // Neither the hardware ID itself nor the session token.
  expect(JSON.stringify(rows)).not.toContain(program.hwid)
  expect(JSON.stringify(rows)).not.toContain(program.session)
})

test('a rejection is logged with its reason, user and machine', async () => {
  const username = await newSubscriber(owner, { username: 'marta' })
  await program.init()
  await program.send('login', { username, password: 'not the password', hwid: program.hwid })
  await program.license('no-such-key')
  expect(await activity()).toMatchObject([
    { call: 'init', code: '' },
    { call: 'login', code: 'INVALID_CREDENTIALS', username: 'marta' },
    { call: 'license', code: 'LICENSE_NOT_FOUND', license: 'no-such-key' },
  ])
})

test('a sign-in is logged under the name of its user, however it was typed, so that alerts see one user', async () => {
  const username = await newSubscriber(owner, { username: 'Ärger Σ' })
  const typed = ['Ärger Σ', 'ÄRGER Σ', 'a\u0308rger σ']
  for (const name of typed) {
    await program.init()
    expect((await program.login(name, userPassword)).body.success).toBe(true)
  }
  const other = await Program.of(app, owner)
  other.hwid = 'another-machine-4711'
  await other.init()
  expect((await other.login('ärger σ', userPassword)).body).toMatchObject({ code: 'HWID_MISMATCH' })
  expect((await other.login('ärger σ', 'not the password')).body).toMatchObject({ code: 'INVALID_CREDENTIALS' })
  const signIns = (await activity()).filter(({ call }) => call === 'login')
  expect(signIns.map((row) => row.username)).toEqual(Array(5).fill(username))
})

test('a request for a password reset is logged under the name of its user, however it was typed', async () => {
  const username = await newSubscriber(owner, { username: 'Ömer Σ' })
  await program.init()
  for (const name of ['Ömer Σ', 'ÖMER Σ', 'o\u0308mer σ'])
    expect((await program.send('request-password-reset', { username: name })).body).toMatchObject({ code: 'MAIL_OFF' })
  await program.send('request-password-reset', { username: 'Nobody' })
  const requests = (await activity()).filter(({ call }) => call === 'request-password-reset')
  expect(requests.map((row) => row.username).toSorted()).toEqual(['Nobody', ...Array(3).fill(username)])
})

test('passwords are never logged', async () => {
  await program.init()
  await program.send('login', { username: 'x', password: 'canary-1', hwid: program.hwid })
  const register = { username: 'x', password: 'canary-2', licenseKey: 'k', hwid: program.hwid }
  await program.send('register', register)
  expect(await activity()).toHaveLength(3)
  expect(JSON.stringify(await activity())).not.toContain('canary')
})

test('calls over the rate limit are not logged', async () => {
  const { limits } = app.services.config
  const { programStartsPerMinute } = limits
  limits.programStartsPerMinute = 2
  for (let n = 0; n < 10; n++) await program.init()
  limits.programStartsPerMinute = programStartsPerMinute
  expect((await activity()).map(({ call }) => call)).toEqual(['init', 'init'])
})

test('the log has a text and a filter for every call of programs', () => {
  const messages = Object.keys(clientBodies).map((call) => (call === 'log' ? messageCall : call))
  expect(loggedCalls.toSorted()).toEqual(messages.toSorted())
})
