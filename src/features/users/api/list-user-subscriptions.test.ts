import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, newSubscriber, newUser, passTime, subscribe } from '#testing/people/end-users.ts'
import { expectRejected, seen } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro', active: false } })
  await owner.visitor.call('POST /create_subscription', { body: { level: 3, name: 'Founder' } })
})
afterAll(() => app.close())

const list = (username: string, by = owner) =>
  by.visitor.call('GET /user/{username}/subscriptions', { params: { username } })

test('lists the subscriptions of a user by level, and the levels that can be added', async () => {
  const username = await newSubscriber(owner, { days: 10 })
  await subscribe(owner, username, { level: 3, days: null })
  const { body } = await list(username)
  expect(body.subscriptions).toEqual([
    { level: 1, name: 'Basic', active: true, expiry: expect.any(Number), time_left: expect.any(Number) },
    { level: 3, name: 'Founder', active: true, expiry: null, time_left: null },
  ])
  expect(body.subscriptions[0]?.time_left).toBeGreaterThan(10 * day - 60)
  expect(body.availableSubscriptions).toEqual([{ level: 2, name: 'Pro', active: false }])
})

test('one without any can get every level', async () => {
  const { body } = await list(await newUser(owner))
  expect(body.subscriptions).toEqual([])
  expect(body.availableSubscriptions.map(({ level }) => level)).toEqual([1, 2, 3])
})

test('an ended one is shown as ended and can be added again', async () => {
  const username = await newSubscriber(owner, { days: 1 })
  await passTime(app, owner, 2 * day)
  const { body } = await list(username)
  expect(body.subscriptions).toMatchObject([{ level: 1, active: false, time_left: 0 }])
  expect(body.subscriptions[0]?.expiry).toBeLessThan(app.now())
  expect(body.availableSubscriptions.map(({ level }) => level)).toEqual([1, 2, 3])
})

test.each(['a/b', 'x/../y', 'joão', '100%', '%2F%2e', 'what?', 'a#b;c=d', '日本語', 'first last'])(
  'a user called %s is found by the path',
  async (username) => {
    await newSubscriber(owner, { username })
    expect((await list(username)).body.subscriptions).toMatchObject([{ level: 1 }])
    expect((await list(username.toUpperCase())).body.subscriptions).toMatchObject([{ level: 1 }])
  },
)

test('bad paths and queries are rejected', async () => {
  const username = await newUser(owner)
  const at = (path: string) => owner.visitor.send('GET', `/api/1.0/website${path}`)
  expectRejected(await at(`/user/${'u'.repeat(201)}/subscriptions`), 'long name')
  expectRejected(await at(`/user/${'u'.repeat(600)}/subscriptions`), 'much too long name')
  expectRejected(await at('/user/NUL%00/subscriptions'), 'NUL')
  expectRejected(await at('/user/%E0%A4%A/subscriptions'), 'broken escape')
  expectRejected(await at(`/user/${username}/subscriptions?noSuchField=1`), 'unknown field')
})

test('a stranger is rejected, and a foreign user looks like a missing one', async () => {
  const stranger = await newOwnerWithApp(app)
  const username = await newSubscriber(owner)
  const path = `/api/1.0/website/user/${username}/subscriptions`
  expectRejected(await app.visitor().send('GET', path), path, 401)
  const foreign = await list(username, stranger)
  expectRejected(foreign, path, 404)
  expect(foreign.body.code).toBe('USER_NOT_FOUND')
  expect(seen(foreign)).toBe(seen(await list('nobody-here', stranger)))
})
