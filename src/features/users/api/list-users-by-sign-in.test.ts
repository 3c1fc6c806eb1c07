import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectAllRejected, expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let began: number

/** `first` signs in 0 seconds, `second` 10 seconds after the beginning, `later` twice: after 20 and 60 seconds. */
beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  for (const username of ['never', 'later', 'second', 'first']) await newSubscriber(owner, { username })
  await newSubscriber(stranger, { username: 'foreign' })
  began = app.now()
  await signedIn(app, owner, 'first')
  await signedIn(app, stranger, 'foreign')
  app.advance(10)
  await signedIn(app, owner, 'second')
  app.advance(10)
  await signedIn(app, owner, 'later')
  app.advance(40)
  await signedIn(app, owner, 'later')
})
afterAll(() => app.close())

type Query = NonNullable<Calls['GET /users']['query']>

async function list(query: Query, of = owner) {
  const { users, total } = (await of.visitor.call('GET /users', { query })).body
  expect(total).toBe(users.length)
  return users.map(({ username }) => username)
}

test('what is no time is rejected, in the list, the export, and bulk actions', async () => {
  const times = ['-1', 'yesterday', '1.5', '1e99', "' or 1=1", '2026-11-01', '99999999999999999999']
  const queries = times.flatMap((time) => [{ lastLoginFrom: time }, { lastLoginUntil: time }])
  await expectQueriesRejected(owner.visitor, '/users', queries)
  await expectQueriesRejected(owner.visitor, '/export_users', queries)
  const filters = [...queries, { lastLoginFrom: -1 }, { lastLoginUntil: null }, { lastLoginFrom: [] }, { lastLogin: 1 }]
  await expectAllRejected(
    app,
    owner.visitor,
    '/users/bulk',
    filters.map((filter) => ({ action: 'ban', filter })),
  )
})

test.each<[from: number | undefined, until: number | undefined, found: string[]]>([
  [0, undefined, ['later', 'second', 'first']],
  [0, 0, ['first']],
  [1, 10, ['second']],
  [11, 59, []],
  [undefined, 59, ['second', 'first']],
  [60, 60, ['later']],
  [61, undefined, []],
])('between %i and %i, the last sign-ins are those of %j, the latest first', async (from, until, found) => {
  const query: Query = {
    ...(from !== undefined && { lastLoginFrom: began + from }),
    ...(until !== undefined && { lastLoginUntil: began + until }),
  }
  expect(await list(query)).toEqual(found)
  expect(await list({ ...query, status: 'active' })).toEqual(found)
  expect(await list({ ...query, sort: 'lastLogin' })).toEqual(found.toReversed())
  expect(await list({ ...query, sort: 'username' })).toEqual(found.toSorted())
  const created = ['later', 'second', 'first'].filter((name) => found.includes(name))
  expect(await list({ ...query, sort: 'created' })).toEqual(created)
  expect(await list({ ...query, createdUntil: began })).toEqual(created.toReversed())
})

test('a bulk action takes the same users, and nobody of another owner', async () => {
  expect(await list({ lastLoginFrom: 1 }, stranger)).toEqual(['foreign'])
  const filter = { lastLoginFrom: began, lastLoginUntil: began + 10 }
  const { body } = await owner.visitor.call('POST /users/bulk', { body: { action: 'ban', filter, expectedCount: 2 } })
  expect(body).toMatchObject({ values: { done: 2, failed: 0 } })
  expect((await list({ status: 'banned' })).toSorted()).toEqual(['first', 'second'])
  expect(await list({ status: 'banned' }, stranger)).toEqual([])
})
