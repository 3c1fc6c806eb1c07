import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, signedIn, userOf, userPassword } from '#testing/end-users.ts'
import { expectAllRefused, expectOnlyOwner, hostileBodies, notFlags, notTexts } from '#testing/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const toggle = (body: { username: string; banned?: boolean }) => owner.visitor.call('POST /toggle_ban_user', { body })

test('bans, and the second time lifts the ban', async () => {
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

test('with `banned` it sets a state, so that a second call changes nothing', async () => {
  const username = await newSubscriber(owner)
  for (const banned of [true, true, false, false]) {
    expect((await toggle({ username, banned })).body.banned).toBe(banned)
    expect(await userOf(owner, username)).toMatchObject({ banned })
  }
})

test('a ban ends the live session at once and no other, and refuses signing in until it is lifted', async () => {
  const username = await newSubscriber(owner)
  const program = await signedIn(app, owner, username)
  const other = await signedIn(app, owner, await newSubscriber(owner))
  await toggle({ username })
  expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'USER_BANNED' })
  expect((await other.heartbeat()).body.success).toBe(true)
  await toggle({ username })
  // Lifting the ban revives no session: the user signs in again.
  expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'USER_BANNED' })
  await toggle({ username })
  await program.init()
  expect((await program.login(username, userPassword)).body.code).toBe('USER_BANNED')
  await toggle({ username })
  expect((await program.login(username, userPassword)).body.success).toBe(true)
})

test('an even number of toggles at once comes back to where it was', async () => {
  const username = await newSubscriber(owner)
  const answers = await Promise.all(Array.from({ length: 10 }, () => toggle({ username })))
  expect(answers.filter(({ body }) => body.banned)).toHaveLength(5)
  expect(await userOf(owner, username)).toMatchObject({ banned: false })
})

test('hostile bodies are refused and nothing changes', async () => {
  const username = await newSubscriber(owner)
  await expectAllRefused(app, owner.visitor, '/toggle_ban_user', [
    ...hostileBodies({ username }, { username: [...notTexts, '', 'u'.repeat(201)], banned: notFlags }),
    {},
  ])
})

test('a stranger is refused, and a foreign user looks like a missing one', async () => {
  const username = await newSubscriber(owner)
  const body = (key: 'own' | 'missing') => ({ username: key === 'own' ? username : 'nobody-here' })
  const answer = await expectOnlyOwner(app, { stranger: stranger.visitor, call: 'POST /toggle_ban_user', body })
  expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
})
