import { afterAll, beforeAll, expect, test } from 'vitest'
import { manyUsers, newSubscriber, newUser, subscribe } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const levelsOf = async (of: OwnedApp) => (await of.visitor.call('GET /user_facets')).body.levels

test('each level has the number of its users, expired or not, of this app alone', async () => {
  const [owner, stranger] = [await newOwnerWithApp(app), await newOwnerWithApp(app)]
  await owner.visitor.call('POST /create_subscription', { body: { name: 'L2', level: 2 } })
  await newSubscriber(stranger)
  await newUser(owner)
  await subscribe(owner, await newSubscriber(owner), { level: 2 })
  await manyUsers(app, owner, { prefix: 'expired', amount: 2, expiresAt: app.now() - 5 })
  expect(await levelsOf(owner)).toEqual([
    { level: 1, count: 3, isMore: false },
    { level: 2, count: 1, isMore: false },
  ])
  for (const { level, count } of await levelsOf(owner))
    expect((await owner.visitor.call('GET /users', { query: { level } })).body.total).toBe(count)
  expect(await levelsOf(stranger)).toEqual([{ level: 1, count: 1, isMore: false }])
})
