import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, newSubscriber, newUser, passTime, subscribe, timeLeft } from '#testing/people/end-users.ts'
import { grantTime } from './entitlements.actions.ts'
import { listEntitlements } from './entitlements.reads.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The database maintains `access_until`: after any change of a user's entitlements, it is their latest end. */

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

const send = (call: string, body: object) =>
  owner.visitor.send<Record<string, unknown>>('POST', `/api/1.0/website/${call}`, { body })

async function expectTrueAccess(): Promise<void> {
  const users = await app.db.read.selectFrom('users').select(['id', 'username', 'access_until']).execute()
  const entitlements = await app.db.read.selectFrom('user_subscriptions').select(['user_id', 'expires_at']).execute()
  for (const { id, username, access_until } of users) {
    const ends = entitlements.filter(({ user_id }) => user_id === id).map(({ expires_at }) => expires_at ?? never)
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

test('every change of time, and every license, updates it', async () => {
  const usernames = [await newSubscriber(owner), await newSubscriber(owner, { days: null }), await newSubscriber(owner)]
  const [key = '', other = ''] = await newLicenses(owner, 2, { duration: 20 })
  const program = await Program.of(app, owner)
  for (const each of [key, other]) {
    await program.init()
    await program.license(each)
  }
  const requests: [string, object][] = [
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
  for (const [call, body] of requests) {
    const { status } = await send(call, body)
    expect([call, status]).toEqual([call, 200])
    await expectTrueAccess()
  }
  await passTime(app, owner, 3 * 86_400)
  expect((await send('toggle_pause_user', { username: usernames[0] })).status).toBe(200)
  await expectTrueAccess()
})

test('is the end of users that come with subscriptions: by first uses, from a file, and from the bin', async () => {
  const program = await Program.of(app, owner)
  const keys = [
    ...(await newLicenses(owner, 2, { duration: 20 })),
    ...(await newLicenses(owner, 1, { expiryUnit: 'lifetime' })),
  ]
  for (const key of keys) {
    await program.init()
    expect((await program.license(key)).body.success).toBe(true)
  }
  await expectTrueAccess()

  const rows = 3
  const { body } = await owner.visitor.call('POST /imports/start', {
    body: {
      kind: 'users',
      source: 'keyauth',
      fileName: 'users.json',
      fingerprint: '',
      rows,
      levels: [
        { label: 'a', level: 1 },
        { label: 'b', level: 3 },
      ],
    },
  })
  const ends: [level: string, expiry: string][][] = [
    [],
    [
      ['a', String(app.now() + 500)],
      ['b', String(app.now() - 500)],
    ],
    [
      ['a', String(app.now() + 500)],
      ['b', 'lifetime'],
    ],
  ]
  const users = ends.map((each, index) => ({
    row: index + 1,
    username: `imported ${index}`,
    subscriptions: each.map(([level, expiry]) => ({ level, expiry })),
  }))
  const imported = await owner.visitor.call('POST /imports/rows', {
    body: { importId: body.import.importId, batch: 1, users },
  })
  expect(imported.body, JSON.stringify(imported.body)).toMatchObject({ created: rows })
  await expectTrueAccess()

  await send('bulk_delete_users', { usernames: [...keys, ...users.map(({ username }) => username)] })
  await send('delete_subscription', { level: 3, forceDelete: true })
  const items = (await owner.visitor.call('GET /bin', { query: { kind: 'user', limit: 100 } })).body.items
  const restored = await owner.visitor.call('POST /bin/restore', { body: { ids: items.map(({ id }) => id) } })
  expect(restored.body.restored).toBeGreaterThanOrEqual(rows + keys.length)
  await expectTrueAccess()
  await owner.visitor.call('POST /create_subscription', { body: { level: 3, name: 'L3' } })
})

test('the last of several parallel changes sees all of them', async () => {
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

describe("a bulk action counts from each user's own clock, which a pause stops", () => {
  /** Each has ten days left: two paused users, whose time would be over without the pause, and an active one. */
  async function threeClocks() {
    const names = [
      await newSubscriber(owner, { days: 10 }),
      await newSubscriber(owner, { days: 30 }),
      await newSubscriber(owner, { days: 45 }),
    ] as const
    const [early, late, running] = names
    await send('toggle_pause_user', { username: early })
    await passTime(app, owner, 20 * day)
    await send('toggle_pause_user', { username: late })
    await passTime(app, owner, 15 * day)
    expect(await daysLeft(names)).toEqual([10, 10, 10])
    return { usernames: [...names], early, late, running }
  }

  const daysLeft = (names: readonly string[], level = 1) =>
    Promise.all(names.map(async (username) => Math.round(((await timeLeft(owner, username, level)) as number) / day)))

  test('added time extends the time left', async () => {
    const { usernames } = await threeClocks()
    await send('bulk_extend_users', { usernames, duration: 4, unit: 'days', subscription: 1 })
    expect(await daysLeft(usernames)).toEqual([14, 14, 14])
    await expectTrueAccess()
  })

  test("added time restarts ended subscriptions from each user's own clock", async () => {
    const { usernames } = await threeClocks()
    await send('bulk_subtract_users', { usernames, duration: 40, unit: 'days' })
    expect(await daysLeft(usernames)).toEqual([0, 0, 0])
    const extend = { usernames, duration: 4, unit: 'days', subscription: 1 }
    expect((await send('bulk_extend_users', extend)).body).toMatchObject({ updated: 0, expiredUsers: usernames })
    expect((await send('bulk_extend_users', { ...extend, extendExpired: true })).body).toMatchObject({ updated: 3 })
    expect(await daysLeft(usernames)).toEqual([4, 4, 4])
    await expectTrueAccess()
  })

  test('subtracted time shortens the time left', async () => {
    const { usernames } = await threeClocks()
    await send('bulk_subtract_users', { usernames, duration: 9, unit: 'days', subscription: 1 })
    expect(await daysLeft(usernames)).toEqual([1, 1, 1])
    await expectTrueAccess()
  })

  test('active users lose time while the others are paused, and the end of a pause returns the time left', async () => {
    const { usernames, running } = await threeClocks()
    await send('users/bulk', { action: 'pause', usernames })
    await passTime(app, owner, 2 * day)
    expect(await daysLeft(usernames)).toEqual([10, 10, 10])
    await send('users/bulk', { action: 'unpause', usernames: [running] })
    await passTime(app, owner, day)
    expect(await daysLeft(usernames)).toEqual([10, 10, 9])
    const { body } = await send('users/bulk', { action: 'unpause', usernames })
    expect(body).toMatchObject({ counts: { changed: 2, unchanged: 1 } })
    expect(await daysLeft(usernames)).toEqual([10, 10, 9])
    await passTime(app, owner, day)
    expect(await daysLeft(usernames)).toEqual([9, 9, 8])
    await expectTrueAccess()
  })

  test('a lifetime stays one throughout, and so does what had ended before the pause', async () => {
    const [lifetime, ended] = [await newSubscriber(owner, { days: null }), await newSubscriber(owner, { days: 1 })]
    const usernames = [lifetime, ended]
    await passTime(app, owner, 2 * day)
    await send('users/bulk', { action: 'pause', usernames })
    await passTime(app, owner, 2 * day)
    const { body } = await send('bulk_extend_users', { usernames, duration: 1, unit: 'days', subscription: 1 })
    expect(body).toMatchObject({ updated: 0, lifetimeUsers: [lifetime], expiredUsers: [ended] })
    await send('users/bulk', { action: 'unpause', usernames })
    expect(await Promise.all(usernames.map((username) => timeLeft(owner, username)))).toEqual([null, 0])
    await expectTrueAccess()
  })
})

describe('licenses add up', () => {
  /** Grants level 1 to a new user by several licenses; returns when it ends. */
  async function endAfter(...seconds: number[]): Promise<number | null | undefined> {
    const username = await newUser(owner)
    const find = app.db.read.selectFrom('users').select('id').where('username', '=', username)
    const { id: userId } = await find.executeTakeFirstOrThrow()
    const licenses = await newLicenses(owner, seconds.length)
    const rows = await app.db.read.selectFrom('licenses').select('id').where('license', 'in', licenses).execute()
    // Concurrently: parallel grants must not overwrite each other.
    await Promise.all(
      seconds.map((each, n) =>
        app.db.write((tx) =>
          grantTime(tx, {
            appId: owner.appId,
            userId,
            level: 1,
            seconds: each,
            licenseId: rows[n]?.id ?? 0,
            now: app.now(),
          }),
        ),
      ),
    )
    const [row] = await listEntitlements(app.db.read, { appId: owner.appId, userIds: [userId], level: 1 })
    return row?.expires_at
  }

  test('two one-day licenses are two days, also at once (R-LIC-02)', async () => {
    expect(await endAfter(day, day)).toBe(app.now() + 2 * day)
    expect(await endAfter(...Array.from({ length: 10 }, () => day))).toBe(app.now() + 10 * day)
  })

  test('a lifetime stays one, in either order', async () => {
    expect(await endAfter(0, day)).toBeNull()
    expect(await endAfter(day, 0)).toBeNull()
  })

  test('the sum stops at the end of the year 9999 (R-LIC-06)', async () => {
    expect(await endAfter(253_402_300_799 - app.now() - 10, day)).toBe(253_402_300_799)
  })
})
