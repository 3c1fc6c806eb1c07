import { afterAll, beforeAll, expect, test } from 'vitest'
import { manyUsers, newSubscriber, newUser, signedIn, userOf } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notLists } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
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

test('deletes those named, ends their sessions and lists the names it did not find', async () => {
  const names = [await newSubscriber(owner), await newSubscriber(owner), await newSubscriber(owner)] as const
  const gone = await signedIn(app, owner, names[0])
  const spared = await signedIn(app, owner, names[2])
  const usernames = [names[0], names[1], names[1].toUpperCase(), 'nobody-here']
  const { body } = await owner.visitor.call('POST /bulk_delete_users', { body: { usernames } })
  expect(body).toMatchObject({
    success: true,
    code: 'USERS_DELETE_OK',
    message: 'Deleted 2 users successfully',
    values: { count: 2 },
    deleted: 2,
    notFound: ['nobody-here'],
  })
  expect(await userOf(owner, names[0])).toBeUndefined()
  expect(await userOf(owner, names[1])).toBeUndefined()
  expect(await userOf(owner, names[2])).toBeDefined()
  expect((await gone.heartbeat()).body.code).toBe('SESSION_ENDED')
  expect((await spared.heartbeat()).body.success).toBe(true)
})

test('deletes 1000 at once, and the counts follow', async () => {
  const usernames = await manyUsers(app, stranger, { prefix: 'mass', amount: 1000, expiresAt: null })
  const answer = await stranger.visitor.call('POST /bulk_delete_users', { body: { usernames } })
  expect(answer.body).toMatchObject({ deleted: 1000, notFound: [] })
  expect((await stranger.visitor.call('GET /users')).body).toMatchObject({ total: 0, users: [] })
})

test('without a selection it says so', async () => {
  for (const body of [{}, { usernames: [] }]) {
    const answer = await owner.visitor.send('POST', '/api/1.0/website/bulk_delete_users', { body })
    expect(answer).toMatchObject({ status: 400, body: { message: 'No users selected' } })
  }
})

test('hostile bodies are rejected and nothing changes', async () => {
  const usernames = [await newUser(owner)]
  const hostile = [...notLists, [...usernames, 5], Array.from({ length: 1001 }, (_, n) => `name-${n}`)]
  await expectAllRejected(
    app,
    owner.visitor,
    '/bulk_delete_users',
    hostileBodies({ usernames }, { usernames: hostile }),
  )
})
