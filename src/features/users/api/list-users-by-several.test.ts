import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newSubscriber, newUser, subscribe } from '#testing/people/end-users.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

type Query = NonNullable<Calls['GET /users']['query']>

let app: TestApp
let owner: OwnedApp
/** Oldest first. */
const statuses = ['active', 'banned', 'expired', 'paused', 'active', 'expired', 'banned', 'active'] as const
const names = statuses.map((status, at) => `${status}-${at}`)

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  await newSubscriber(stranger, { username: 'foreign', days: 30 })
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  for (const [at, status] of statuses.entries()) {
    const username = names[at] as string
    if (status === 'expired') await newUser(owner, username)
    else await newSubscriber(owner, { username, days: 30 })
    if (status === 'banned') await owner.visitor.call('POST /toggle_ban_user', { body: { username, banned: true } })
    if (status === 'paused') await owner.visitor.call('POST /toggle_pause_user', { body: { username, paused: true } })
  }
  // Two levels: the user counts once.
  await subscribe(owner, names[0] as string, { level: 2, days: null })
})
afterAll(() => app.close())

async function list(query: Query) {
  const { status, body } = await owner.visitor.call('GET /users', { query })
  expect(status).toBe(200)
  return { ...body, names: body.users.map(({ username }) => username) }
}

async function pagesOf(query: Query): Promise<string[]> {
  const { totalPages } = await list({ limit: 2, ...query })
  const found: string[] = []
  for (let page = 1; page <= totalPages; page++) found.push(...(await list({ limit: 2, ...query, page })).names)
  return found
}

test.each([
  [['banned', 'paused']],
  [['active', 'expired']],
  [['expired', 'banned', 'paused']],
  [['active', 'banned', 'expired', 'paused']],
])('statuses %s match each user once, newest first, and backwards', async (some) => {
  const status = some.join(',') as 'active'
  const all = names.filter((_, at) => some.includes(statuses[at] as string)).toReversed()
  expect((await list({ status })).total).toBe(all.length)
  expect((await list({ status, count: 'all' })).total).toBe(all.length)
  expect(await pagesOf({ status })).toEqual(all)
  expect(await pagesOf({ status, sort: 'created' })).toEqual(all.toReversed())
})

test('a user with two of the levels is listed and counted once', async () => {
  const all = names.filter((name) => !name.startsWith('expired')).toReversed()
  const found = await list({ level: '1,2' })
  expect(found).toMatchObject({ total: all.length, names: all })
  expect((await list({ level: '2,3' })).names).toEqual([names[0]])
  expect((await list({ level: '1,2', status: 'banned,paused' })).total).toBe(3)
  expect((await list({ level: '1,2', search: names[0] as string })).names).toEqual([names[0]])
})

test('an export and a bulk action take exactly the users in view', async () => {
  const filter = { status: 'banned,expired', level: '1,2' } as const
  const inView = (await list(filter)).names
  expect(inView).toEqual([names[6], names[1]])
  const { body: file } = await owner.visitor.call('GET /export_users', { query: { ...filter, format: 'txt' } })
  expect(file.content.trim().split('\n').toSorted()).toEqual(inView.toSorted())
  const bulkAction = { action: 'unban', filter, expectedCount: 2 } as const
  expect((await owner.visitor.call('POST /users/bulk', { body: bulkAction })).body).toMatchObject({
    done: 2,
    failed: 0,
  })
  await owner.visitor.call('POST /users/bulk', { body: { action: 'ban', usernames: inView } })
})

test('rejects an unknown value among them, gaps, and too many', async () => {
  await expectQueriesRejected(owner.visitor, '/users', [
    { status: 'banned,gone' },
    { status: 'banned,' },
    { status: Array.from({ length: 100 }, () => 'banned').join(',') },
    { level: '1,-1' },
    { level: Array.from({ length: 100 }, (_, at) => at + 1).join(',') },
    { sort: 'email' },
    { sort: '-' },
  ])
})
