import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, newUser, passTime, subscribe } from '#testing/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people.ts'
import { Program } from '#testing/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** `access_until` is kept by the database: whatever happens to what users hold, it is the last end of it. */

const never = Number.MAX_SAFE_INTEGER
const levels = [1, 2, 3]
let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  for (const level of [2, 3])
    await owner.visitor.call('POST /create_subscription', { body: { level, name: `L${level}` } })
})
afterAll(() => app.close())

const send = (call: string, body: object) => owner.visitor.send('POST', `/api/1.0/website/${call}`, { body })

async function expectTrueAccess(): Promise<void> {
  const users = await app.db.read.selectFrom('users').select(['id', 'username', 'access_until']).execute()
  const held = await app.db.read.selectFrom('user_subscriptions').select(['user_id', 'expires_at']).execute()
  for (const { id, username, access_until } of users) {
    const ends = held.filter(({ user_id }) => user_id === id).map(({ expires_at }) => expires_at ?? never)
    expect(access_until, username).toBe(Math.max(0, ...ends))
  }
}

test('follows a user from the first subscription to the last', async () => {
  const username = await newUser(owner)
  const until = async () =>
    (
      await app.db.read
        .selectFrom('users')
        .select('access_until')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
    ).access_until
  expect(await until()).toBe(0)
  await subscribe(owner, username, { days: 10 })
  const first = await until()
  expect(first).toBeGreaterThan(app.now() + 9 * 86_400)
  await subscribe(owner, username, { level: 2, days: 5 })
  expect(await until()).toBe(first)
  await subscribe(owner, username, { level: 3, days: null })
  expect(await until()).toBe(never)
  for (const [id, left] of [
    [3, first],
    [1, undefined],
    [2, 0],
  ] as const) {
    await owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id } })
    if (left !== undefined) expect(await until()).toBe(left)
    await expectTrueAccess()
  }
})

test('every act on time, and every license, moves it along', async () => {
  const usernames = [await newSubscriber(owner), await newSubscriber(owner, { days: null }), await newSubscriber(owner)]
  const [key = '', other = ''] = await newLicenses(owner, 2, { duration: 20 })
  const program = await Program.of(app, owner)
  for (const each of [key, other]) {
    await program.init()
    await program.license(each)
  }
  const acts: [string, object][] = [
    ['bulk_extend_users', { usernames, duration: 3, unit: 'days', subscription: 1 }],
    ['bulk_subtract_users', { usernames, duration: 40, unit: 'days' }],
    ['bulk_extend_users', { usernames, duration: 3, unit: 'days', subscription: 1, extendExpired: true }],
    ['toggle_pause_user', { username: usernames[0] }],
    ['add_time_licenses', { licenses: [key], duration: 9, expiryUnit: 'days' }],
    ['update_license', { licenseKey: key, expiry: 0 }],
    ['update_license', { licenseKey: other, subscription: 2 }],
    ['toggle_ban_license', { licenseKey: other }],
    ['delete_license', { licenseKey: other }],
    ['bulk_delete_users', { usernames: [usernames[2]] }],
  ]
  for (const [call, body] of acts) {
    const { status } = await send(call, body)
    expect([call, status]).toEqual([call, 200])
    await expectTrueAccess()
  }
  await passTime(app, owner, 3 * 86_400)
  expect((await send('toggle_pause_user', { username: usernames[0] })).status).toBe(200)
  await expectTrueAccess()
})

test('of changes in parallel the last one sees them all', async () => {
  const usernames = await Promise.all([newUser(owner), newUser(owner), newUser(owner)])
  for (let round = 0; round < 4; round++) {
    await Promise.all(
      usernames.flatMap((username) =>
        levels.map((level) =>
          round % 2 === 0
            ? subscribe(owner, username, { level, days: 3 + level + round })
            : owner.visitor.call('DELETE /user/{username}/subscriptions/{id}', { params: { username, id: level } }),
        ),
      ),
    )
    await send('bulk_extend_users', { usernames, duration: 1 + round, unit: 'days', subscription: 3 })
    await expectTrueAccess()
  }
})
