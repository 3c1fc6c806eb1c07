import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newSubscriber, signedIn, subscribe, timeLeft } from '#testing/people/end-users.ts'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
})
afterAll(() => app.close())

const remove = (username: string, { id = 1, by = owner }: { id?: number | string; by?: OwnedApp } = {}) =>
  by.visitor.send('DELETE', '/api/1.0/website/user/{username}/subscriptions/{id}', { params: { username, id } })

test('takes that level at once; the other subscriptions still count', async () => {
  const username = await newSubscriber(owner, { username: 'with/slash' })
  await subscribe(owner, username, { level: 2 })
  const program = await signedIn(app, owner, username)
  expect((await remove(username)).body).toMatchObject({
    success: true,
    code: 'USER_SUBSCRIPTION_REMOVE_OK',
    message: 'Subscription removed successfully',
  })
  expect(await timeLeft(owner, username, 1)).toBeUndefined()
  expect((await program.heartbeat()).body).toMatchObject({ success: true, user: { subscriptions: [{ level: 2 }] } })
  await remove(username, { id: 2 })
  expect((await program.heartbeat()).body.code).toBe('SUBSCRIPTION_EXPIRED')
})

test('one that the user does not have is rejected, also for whoever comes second', async () => {
  const username = await newSubscriber(owner)
  const statuses = (await Promise.all([remove(username), remove(username), remove(username)])).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted()).toEqual([200, 404, 404])
  expect((await remove(username)).body).toMatchObject({
    code: 'USER_SUBSCRIPTION_NOT_FOUND',
    message: 'The user does not have this subscription',
  })
})

test('bad ids are rejected and nothing changes', async () => {
  const username = await newSubscriber(owner)
  const before = await databaseDigest(app.db)
  for (const id of ['0', '-1', '1.5', 'abc', '1e308', '1000001', '1;--', '%00'])
    expectRejected(await remove(username, { id }), id)
  expectRejected(
    await owner.visitor.send('DELETE', `/api/1.0/website/user/${username}/subscriptions/1?noSuchField=1`),
    'query',
  )
  expect(await databaseDigest(app.db)).toBe(before)
})

test('a stranger is rejected, and a foreign user looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const username = await newSubscriber(owner)
  const before = await databaseDigest(app.db)
  expectRejected(
    await app.visitor().send('DELETE', `/api/1.0/website/user/${username}/subscriptions/1`),
    'anonymous',
    401,
  )
  const foreign = await remove(username, { by: stranger })
  expectRejected(foreign, 'foreign', 404)
  expect(seen(foreign)).toBe(seen(await remove('nobody-here', { by: stranger })))
  expect(await databaseDigest(app.db)).toBe(before)
})
