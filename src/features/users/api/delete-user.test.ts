import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, signedIn, userOf, userPassword } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const rowsOf = (table: 'user_subscriptions' | 'user_variables') =>
  app.db.read.selectFrom(table).select('user_id').where('app_id', '=', owner.appId).execute()

test('deletes the user with subscriptions and variables, and ends the session at once', async () => {
  const username = await newSubscriber(owner)
  const neighbor = await newSubscriber(owner)
  for (const each of [username, neighbor]) {
    await owner.visitor.call('POST /user_variables', { body: { username: each, variableName: 'a', variableData: 'b' } })
  }
  const program = await signedIn(app, owner, username)
  const other = await signedIn(app, owner, neighbor)
  const answer = await owner.visitor.call('POST /delete_user', { body: { username: username.toUpperCase() } })
  expect(answer.body).toMatchObject({ success: true, code: 'USER_DELETE_OK', message: 'User deleted successfully' })
  expect(await userOf(owner, username)).toBeUndefined()
  expect(await rowsOf('user_subscriptions')).toHaveLength(1)
  expect(await rowsOf('user_variables')).toHaveLength(1)
  expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'SESSION_ENDED' })
  expect((await other.heartbeat()).body.success).toBe(true)
  await program.init()
  expect((await program.login(username, userPassword)).body.code).toBe('INVALID_CREDENTIALS')
})

test("subscriptions and variables created during the deletion don't outlive the user", async () => {
  for (let round = 0; round < 8; round++) {
    const username = await newSubscriber(owner)
    const params = { username }
    await owner.visitor.call('POST /create_subscription', { body: { level: 100 + round, name: 'Extra' } })
    await Promise.all([
      owner.visitor.call('POST /delete_user', { body: { username } }),
      owner.visitor.call('POST /user/{username}/subscriptions', { params, body: { level: 100 + round } }),
      owner.visitor.call('POST /user_variables', { body: { username, variableName: 'late', variableData: 'x' } }),
    ])
  }
  const users = await app.db.read.selectFrom('users').select('id').where('app_id', '=', owner.appId).execute()
  const ids = new Set(users.map(({ id }) => id))
  for (const table of ['user_subscriptions', 'user_variables'] as const) {
    expect((await rowsOf(table)).filter(({ user_id }) => !ids.has(user_id))).toEqual([])
  }
})

test('rejects hostile bodies and changes nothing', async () => {
  const username = await newSubscriber(owner)
  await expectAllRejected(app, owner.visitor, '/delete_user', [
    ...hostileBodies({ username }, { username: [...notTexts, '', 'u'.repeat(201)] }),
    {},
  ])
})

test('rejects a missing user', async () => {
  const answer = await owner.visitor.call('POST /delete_user', { body: { username: 'nobody-here' } })
  expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND', message: 'User not found' } })
})
