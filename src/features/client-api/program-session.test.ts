import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sessionHash } from '#server/secrets/session-token.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSubscriber, userPassword } from '#testing/people/end-users.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The session of a program: its token, what it is bound to, and its lifetime (R-CLI-05). */

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  app.advance(3600)
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

async function started(): Promise<Program> {
  const program = await Program.of(app, owner)
  await program.init()
  return program
}
async function signedIn(): Promise<Program> {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await started()
  expect((await program.license(key)).body.success).toBe(true)
  return program
}
const rowsOf = () => app.db.read.selectFrom('client_sessions').selectAll().where('app_id', '=', owner.appId).execute()
const lengthen = (sessionExpiryDuration: number) =>
  owner.visitor.call('POST /update_app', { body: { settings: { sessionExpiryDuration } } })

test('a session token has 256 bits and is stored only as a hash, with its app, user and machine (R-CLI-05)', async () => {
  const { session = '' } = await signedIn()
  expect(Buffer.from(session, 'base64url')).toHaveLength(32)
  const rows = await rowsOf()
  expect(rows).toMatchObject([
    { token_hash: sessionHash(session), user_id: expect.any(Number), hwid_hash: expect.stringMatching(/^[\w-]{43}$/) },
  ])
  expect(JSON.stringify(rows)).not.toContain(session)
})

test.each([
  [299, 400],
  [300, 200],
  [86_400, 200],
  [86_401, 400],
  [0, 400],
  [-300, 400],
  [600.5, 400],
])('an app can set a session length of %s seconds: %s (R-CLI-05)', async (seconds, status) => {
  expect((await lengthen(seconds)).status).toBe(status)
})

test('a session lasts exactly as long as the app sets, from its last heartbeat (R-CLI-05)', async () => {
  await lengthen(300)
  const program = await signedIn()
  for (let beats = 0; beats < 3; beats++) {
    app.advance(299)
    expect((await program.heartbeat()).body).toMatchObject({ success: true, expiresAt: app.now() + 300 })
  }
  app.advance(300)
  expect((await program.heartbeat()).body.code).toBe('SESSION_EXPIRED')
})

test('with one session per credential, 12 concurrent sign-ins leave one session, the one that works (R-CLI-05)', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await (await started()).license(key)
  const programs = await Promise.all(Array.from({ length: 12 }, started))
  const answers = await Promise.all(programs.map((program) => program.license(key)))
  expect(answers.filter(({ body }) => body.success)).toHaveLength(12)
  const live = (await rowsOf()).filter(({ user_id, ended_code }) => user_id !== null && ended_code === null)
  expect(live).toHaveLength(1)
  const beats = await Promise.all(programs.map((program) => program.heartbeat()))
  expect(beats.filter(({ body }) => body.success)).toHaveLength(1)
  for (const { body } of beats.filter(({ body }) => !body.success)) expect(body.code).toBe('SESSION_REPLACED')
})

test('after another user has signed in with a session, every process answers as that user (R-CLI-05)', async () => {
  const [anna, berta] = [await newSubscriber(owner), await newSubscriber(owner)]
  const program = await started()
  const mistype = async () =>
    expect((await program.login(anna, 'mistyped-password')).body.code).toBe('INVALID_CREDENTIALS')
  // Two processes take turns: the second one hears of the session before anna has it, and of no other call of hers.
  await mistype()
  expect((await program.login(anna, userPassword)).body.success).toBe(true)
  await mistype()
  expect((await program.heartbeat()).body['user']).toMatchObject({ username: anna })
  expect((await program.login(berta, userPassword)).body.success).toBe(true)
  for (let process = 0; process < 2; process++) {
    expect((await program.heartbeat()).body['user']).toMatchObject({ username: berta })
  }
})
