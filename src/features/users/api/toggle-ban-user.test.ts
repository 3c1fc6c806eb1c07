import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, signedIn, userOf, userPassword } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notFlags, notTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { setUsersBanned } from '../user-access.actions.ts'
import { findUser } from '../users.reads.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

/** Resolves when a statement waits for a row lock; on SQLite, whole transactions wait for each other. */
async function waitsForLock(): Promise<void> {
  if (app.db.engine === 'sqlite') return
  const waiting = sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(app.db.read)).rows[0]?.n).toBeGreaterThan(0)
}

const toggle = (body: { username: string; banned?: boolean }) => owner.visitor.call('POST /toggle_ban_user', { body })

test('the first call bans, the second lifts the ban', async () => {
  const username = await newSubscriber(owner)
  expect((await toggle({ username })).body).toMatchObject({
    code: 'USER_BAN_OK',
    message: 'User banned successfully',
    banned: true,
  })
  expect(await userOf(owner, username)).toMatchObject({ banned: true })
  expect((await toggle({ username })).body).toMatchObject({
    code: 'USER_UNBAN_OK',
    message: 'User unbanned successfully',
    banned: false,
  })
  expect(await userOf(owner, username)).toMatchObject({ banned: false })
})

test('with `banned` it sets a state, so a second call changes nothing', async () => {
  const username = await newSubscriber(owner)
  for (const banned of [true, true, false, false]) {
    expect((await toggle({ username, banned })).body.banned).toBe(banned)
    expect(await userOf(owner, username)).toMatchObject({ banned })
  }
})

test("a ban ends the user's session at once and no others, and rejects sign-ins until it is lifted", async () => {
  const username = await newSubscriber(owner)
  const program = await signedIn(app, owner, username)
  const other = await signedIn(app, owner, await newSubscriber(owner))
  await toggle({ username })
  expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'USER_BANNED' })
  expect((await other.heartbeat()).body.success).toBe(true)
  await toggle({ username })
  // Lifting the ban does not reopen the session: the user must sign in again.
  expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'USER_BANNED' })
  await toggle({ username })
  await program.init()
  expect((await program.login(username, userPassword)).body.code).toBe('USER_BANNED')
  await toggle({ username })
  expect((await program.login(username, userPassword)).body.success).toBe(true)
})

test('once the ban is lifted, a program signs in again without a restart, and the next ban ends that session', async () => {
  const username = await newSubscriber(owner)
  const [key = ''] = await newLicenses(owner, 1)
  const byPassword = await signedIn(app, owner, username)
  const byKey = await Program.of(app, owner)
  await byKey.init()
  await byKey.license(key)
  const cases = [
    { name: username, program: byPassword, signIn: () => byPassword.login(username, userPassword) },
    { name: key, program: byKey, signIn: () => byKey.license(key) },
  ]
  for (const { name, program, signIn } of cases) {
    for (let round = 0; round < 2; round++) {
      await toggle({ username: name, banned: true })
      expect((await program.heartbeat()).body.code).toBe('USER_BANNED')
      expect((await signIn()).body.code).toBe('USER_BANNED')
      await toggle({ username: name, banned: false })
      // Only a new sign-in reopens the session.
      expect((await program.heartbeat()).body.code).toBe('USER_BANNED')
      app.advance(60)
      expect((await signIn()).body.success).toBe(true)
      expect((await program.heartbeat()).body.success).toBe(true)
    }
  }
})

test('a session that a ban ended accepts no other user during the ban, and a new user once it is lifted', async () => {
  const username = await newSubscriber(owner)
  const other = await newSubscriber(owner)
  const [key = ''] = await newLicenses(owner, 1)
  const program = await signedIn(app, owner, username)
  await toggle({ username, banned: true })
  expect((await program.login(other, userPassword)).body.code).toBe('USER_BANNED')
  expect((await program.license(key)).body.code).toBe('USER_BANNED')
  expect((await program.register(`${username}-new`, userPassword, key)).body.code).toBe('USER_BANNED')
  await toggle({ username, banned: false })
  expect((await program.register(`${username}-new`, userPassword, key)).body.success).toBe(true)
  expect((await program.heartbeat()).body.success).toBe(true)
})

test('a session that ended for another reason stays ended after a lifted ban', async () => {
  const username = await newSubscriber(owner)
  const program = await signedIn(app, owner, username)
  const { sessions } = (await owner.visitor.call('GET /sessions', { query: { search: username } })).body
  const { session_id: sessionId = '' } = sessions[0] ?? {}
  expect((await owner.visitor.call('POST /delete_session', { body: { sessionId } })).status).toBe(200)
  for (const banned of [true, false]) await toggle({ username, banned })
  expect((await program.login(username, userPassword)).body.code).toBe('SESSION_ENDED')
})

test('a sign-in that waits for a ban to commit is rejected, and leaves no session for after the ban', async () => {
  const username = await newSubscriber(owner)
  const program = await signedIn(app, owner, username)
  for (const banned of [true, false]) await toggle({ username, banned })
  const user = (await findUser(app.db.read, owner.appId, username))!
  const signIn = await app.db.write(async (tx) => {
    await setUsersBanned(tx, { appId: owner.appId, users: [user], banned: true, now: app.now() })
    const answer = program.login(username, userPassword)
    await waitsForLock()
    return { answer }
  })
  expect((await signIn.answer).body.code).toBe('USER_BANNED')
  await toggle({ username, banned: false })
  expect((await program.heartbeat()).body.code).toBe('USER_BANNED')
})

test('an even number of concurrent toggles restores the state', async () => {
  const username = await newSubscriber(owner)
  const answers = await Promise.all(Array.from({ length: 10 }, () => toggle({ username })))
  expect(answers.filter(({ body }) => body.banned)).toHaveLength(5)
  expect(await userOf(owner, username)).toMatchObject({ banned: false })
})

test('rejects hostile bodies and changes nothing', async () => {
  const username = await newSubscriber(owner)
  await expectAllRejected(app, owner.visitor, '/toggle_ban_user', [
    ...hostileBodies({ username }, { username: [...notTexts, '', 'u'.repeat(201)], banned: notFlags }),
    {},
  ])
})
