import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { day, manyUsers, newSubscriber, newUser, signedIn, subscribe, userPassword } from '#testing/people/end-users.ts'
import { databaseDigest } from '#testing/database-digest.ts'
import {
  expectQueriesRejected,
  expectRejected,
  notQueryIntegers,
  seen,
  strangeTexts,
} from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
})
afterAll(() => app.close())

const list = (query: Record<string, unknown> = {}, by = owner) =>
  by.visitor.call('GET /users', { query: query as { search?: string } })
const namesOf = async (query: Record<string, unknown>, by = owner) =>
  (await list(query, by)).body.users.map(({ username }) => username)

describe('a user in the list', () => {
  test('has the name, subscriptions and variables, and never a password or hardware ID (R-TEN-05)', async () => {
    const username = await newSubscriber(owner, { username: 'Complete', days: 30 })
    await subscribe(owner, username, { level: 2, days: null })
    await owner.visitor.call('POST /user_variables', {
      body: { username, variableName: 'api_key', variableData: 'äöü' },
    })
    await signedIn(app, owner, username)
    const user = (await list({ search: 'complete' })).body.users[0]
    expect(user).toMatchObject({
      username: 'Complete',
      email: '',
      ip: '127.0.0.1',
      hwid: expect.stringMatching(/^[\w-]{12}$/),
      banned: false,
      paused: false,
      hasActiveSubscription: true,
      subscriptions: {
        1: { level: 1, name: 'Basic', active: true },
        2: { level: 2, name: 'Pro', active: true, expiry: null, time_left: null },
      },
      variables: { api_key: 'äöü' },
    })
    const basic = user?.subscriptions[1]
    expect(basic?.time_left).toBeGreaterThan(30 * day - 60)
    expect(basic?.expiry).toBeGreaterThan(app.now() + 30 * day - 60)
    expect(user?.creationDate).toBeGreaterThan(app.now() - 60)
    expect(user?.lastLoginDate).toBeGreaterThan(app.now() - 60)
    expect(JSON.stringify(user)).not.toMatch(/argon2|a-machine-of-the-test/)
  })

  test('is listed under the license key if it was created by one', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.license(key)).body).toMatchObject({ success: true })
    expect((await list({ search: key })).body.users[0]).toMatchObject({ username: key, hasActiveSubscription: true })
  })

  test('has the number of a deleted level as its name', async () => {
    const username = await newSubscriber(owner, { level: 1 })
    const row = await app.db.read
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    const entitlement = {
      app_id: owner.appId,
      user_id: row.id,
      level: 77,
      expires_at: null,
      license_id: null,
      created_at: 1,
    }
    await app.db.write((tx) => tx.db.insertInto('user_subscriptions').values(entitlement).execute())
    expect((await list({ search: username })).body.users[0]?.subscriptions[77]).toMatchObject({ name: 'Level 77' })
  })
})

describe('pages, filters and counts', () => {
  let other: OwnedApp
  beforeAll(async () => {
    other = await newOwnerWithApp(app)
    const now = app.now()
    await manyUsers(app, other, { prefix: 'active', amount: 7, expiresAt: now + day })
    await manyUsers(app, other, { prefix: 'lifetime', amount: 3, expiresAt: null })
    await manyUsers(app, other, { prefix: 'ended', amount: 5, expiresAt: now - 1 })
    await manyUsers(app, other, { prefix: 'without', amount: 4 })
    await manyUsers(app, other, { prefix: 'banned', amount: 2, expiresAt: now + day })
    await manyUsers(app, other, { prefix: 'paused', amount: 3, expiresAt: now + day })
    for (const name of ['banned-0', 'banned-1'])
      await other.visitor.call('POST /toggle_ban_user', { body: { username: name } })
    for (const name of ['paused-0', 'paused-1', 'paused-2', 'banned-1']) {
      await other.visitor.call('POST /toggle_pause_user', { body: { username: name } })
    }
  })

  test('every user is on exactly one page, newest first, from either end', async () => {
    const seenNames: string[] = []
    for (let page = 1; page <= 5; page++) {
      const { body } = await list({ page, limit: 5 }, other)
      expect(body).toMatchObject({ total: 24, totalPages: 5 })
      seenNames.push(...body.users.map(({ username }) => username))
    }
    expect(seenNames).toHaveLength(24)
    expect(new Set(seenNames).size).toBe(24)
    expect(seenNames[0]).toBe('paused-2')
    expect(seenNames.at(-1)).toBe('active-0')
    expect((await list({ page: 6, limit: 5 }, other)).body.users).toEqual([])
    expect((await list({}, other)).body.users).toHaveLength(10)
  })

  test('every user that a search finds is on one page, in both orders, and behind the last one is none', async () => {
    const found = ['active-6', 'active-5', 'active-4', 'active-3', 'active-2', 'active-1', 'active-0']
    for (const [sort, names] of [
      ['-created', found],
      ['created', found.toReversed()],
      ['-username', found],
    ] as const) {
      for (const [page, from] of [
        [1, 0],
        [2, 3],
        [3, 6],
        [4, 9],
      ] as const) {
        const { body } = await list({ search: 'tive-', sort, page, limit: 3 }, other)
        expect(body, `${sort} ${page}`).toMatchObject({ total: 7, totalPages: 3, isMore: false })
        expect(body.users.map(({ username }) => username)).toEqual(names.slice(from, from + 3))
      }
    }
  })

  test('the status is Banned, then Paused, then Active, otherwise Expired', async () => {
    const counts = { total: 24, banned: 2, paused: 3, active: 10, expired: 9 }
    expect((await list({}, other)).body.counts).toEqual(counts)
    for (const status of ['banned', 'paused', 'active', 'expired'] as const) {
      const { body } = await list({ status, limit: 100 }, other)
      expect(body.counts).toEqual(counts)
      expect(body).toMatchObject({ total: counts[status] })
      expect(body.users).toHaveLength(counts[status])
      const prefixes = {
        banned: /^banned/,
        paused: /^paused/,
        active: /^(active|lifetime)/,
        expired: /^(ended|without)/,
      }
      for (const { username } of body.users) expect(username).toMatch(prefixes[status])
    }
    expect((await list({ status: 'any', limit: 1 }, other)).body.total).toBe(24)
  })

  test('an active user expires as time passes', async () => {
    const third = await newOwnerWithApp(app)
    await manyUsers(app, third, { prefix: 'soon', amount: 2, expiresAt: app.now() + 600 })
    expect((await list({}, third)).body.counts).toMatchObject({ active: 2, expired: 0 })
    app.advance(601)
    expect((await list({}, third)).body.counts).toMatchObject({ active: 0, expired: 2 })
  })

  test('filters by level, with a status and a search too', async () => {
    await app.db.searchSettled()
    expect((await list({ level: 1 }, other)).body.total).toBe(20)
    expect((await list({ level: 2 }, other)).body.total).toBe(0)
    expect((await list({ level: 1, status: 'expired' }, other)).body.total).toBe(5)
    expect(await namesOf({ level: 1, status: 'expired', search: 'ENDED-3' }, other)).toEqual(['ended-3'])
  })
})

describe('searching', () => {
  test('finds names, emails and addresses by any part, whether indexed yet or not', async () => {
    const username = await newUser(owner, 'Searched Person', { email: 'needle@haystack.example' })
    for (const search of ['searched', 'ED PER', 'needle@', 'haystack', 'ay'])
      expect(await namesOf({ search })).toContain(username)
    await app.db.searchSettled()
    for (const search of ['searched', 'ED PER', 'needle@', 'haystack', 'ay'])
      expect(await namesOf({ search })).toContain(username)
    expect(await namesOf({ search: 'no-such-thing' })).toEqual([])
    await owner.visitor.call('POST /edit_user', { body: { username, email: 'moved@example.com' } })
    expect(await namesOf({ search: 'haystack' })).toEqual([])
    expect(await namesOf({ search: 'moved@' })).toEqual([username])
    await app.db.searchSettled()
    expect(await namesOf({ search: 'haystack' })).toEqual([])
    expect(await namesOf({ search: 'moved@' })).toEqual([username])
    await owner.visitor.call('POST /delete_user', { body: { username } })
    expect(await namesOf({ search: 'moved@' })).toEqual([])
  })

  test('punctuation is searched as it is, and not taken for a letter', async () => {
    const names = [...'-@._ +/:#qxzjwkvyb%\\*!'].map((sign) => `SIGN${sign}7`)
    for (const username of names) await newUser(owner, username)
    for (const [index, name] of names.entries()) {
      expect(await namesOf({ search: name.slice(3).toLowerCase() }), name).toEqual([names[index]])
      expect(await namesOf({ search: name }), name).toEqual([names[index]])
    }
  })

  test('a search finds only users of the app', async () => {
    const stranger = await newOwnerWithApp(app)
    await newUser(stranger, 'only-of-the-stranger')
    await app.db.searchSettled()
    expect(await namesOf({ search: 'only-of-the-stranger' })).toEqual([])
    expect(await namesOf({ search: 'only-of-the-stranger' }, stranger)).toEqual(['only-of-the-stranger'])
  })

  test.each(strangeTexts)('%j finds nothing but itself', async (search) => {
    expect((await list({ search })).status).toBe(200)
    expect(await namesOf({ search })).toEqual([])
  })
})

describe('rejections', () => {
  test('rejects bad queries', async () => {
    const integers = ['page', 'limit', 'level'].flatMap((field) =>
      notQueryIntegers.map((value) => ({ [field]: value })),
    )
    await expectQueriesRejected(owner.visitor, '/users', [
      ...integers,
      { limit: 101 },
      { status: 'frozen' },
      { search: 'x'.repeat(201) },
      { search: 'NUL \0' },
      { noSuchField: 1 },
    ])
  })

  test("rejects calls without a session, and another owner's app looks like a missing one", async () => {
    const stranger = await newOwnerWithApp(app)
    const before = await databaseDigest(app.db)
    expectRejected(await app.visitor().send('GET', '/api/1.0/website/users'), 'GET /users', 401)
    const foreign = await stranger.visitor.call('GET /users', { query: { appId: owner.appId } })
    const missing = await stranger.visitor.call('GET /users', { query: { appId: 'app_AAAAAAAAAAAAAAAA' } })
    expectRejected(foreign, 'GET /users', 404)
    expect(seen(foreign)).toBe(seen(missing))
    expect(await databaseDigest(app.db)).toBe(before)
  })
})

test('a whole HWID finds its user in lists, exports and bulk actions; a part of one, or one of another app, finds nobody', async () => {
  const owner = await newOwnerWithApp(app)
  const other = await newOwnerWithApp(app)
  await newSubscriber(owner, { username: 'somebody-else' })
  const username = await newSubscriber(owner)
  const hwid = 'BFEBFBFF000906EA-S4EVNX0N'
  const program = await Program.of(app, owner)
  program.hwid = hwid
  await program.init()
  await program.login(username, userPassword)
  const found = async (search: string, by = owner) =>
    (await by.visitor.call('GET /users', { query: { search } })).body.users.map((user) => user.username)
  expect(await found(` ${hwid} `)).toEqual([username])
  for (const part of [hwid.slice(0, -1), hwid.toLowerCase(), `${hwid}X`]) expect(await found(part)).toEqual([])
  expect(await found(hwid, other)).toEqual([])
  expect((await owner.visitor.call('GET /users', { query: { search: hwid, status: 'banned' } })).body.total).toBe(0)
  const exported = await owner.visitor.call('GET /export_users', { query: { search: hwid, format: 'txt' } })
  expect(exported.body.content).toBe(`${username}\n`)
  const filter = { search: hwid }
  const banned = async () => (await owner.visitor.call('GET /users', { query: { status: 'banned' } })).body.total
  const body = { action: 'ban', filter, expectedCount: 1 } as const
  expect((await owner.visitor.call('POST /users/bulk', { body })).body).toMatchObject({ done: 1, failed: 0 })
  expect(await banned()).toBe(1)
  // With an Idempotency-Key, as the dashboard sends it; the later batches of a selection have `after`.
  for (const selection of [{ expectedCount: 1 }, { after: 1 }]) {
    for (const [action, total] of [
      ['unban', 0],
      ['ban', 1],
    ] as const) {
      const headers = { 'idempotency-key': `${action}-${JSON.stringify(selection)}` }
      const answer = await owner.visitor.call('POST /users/bulk', { body: { action, filter, ...selection }, headers })
      expect(answer.body).toMatchObject({ done: 1, failed: 0 })
      expect(await banned()).toBe(total)
    }
  }
})

describe('more than 20,000 users', () => {
  let many: OwnedApp
  const amount = 20_100
  const listOf = async (query: Calls['GET /users']['query']) =>
    (await many.visitor.call('GET /users', { query: { limit: 100, ...query } })).body

  beforeAll(async () => {
    many = await newOwnerWithApp(app)
    await manyUsers(app, many, { prefix: 'many', amount, expiresAt: null })
  })

  test.each([{ search: 'many' }, { status: 'active', search: 'many' }] as const)(
    'of %o are counted up to 10,000, with a mark that there are more',
    async (query) => {
      const page = await listOf(query)
      expect(page).toMatchObject({ total: 10_000, isMore: true, totalPages: 100 })
      expect(page.users).toHaveLength(100)
      expect(await listOf({ ...query, page: 101 })).toMatchObject({ users: [], total: 10_000 })
      const last = await listOf({ ...query, count: 'all', page: 201 })
      expect(last).toMatchObject({ total: amount, isMore: false, totalPages: 201 })
      expect(last.users.map(({ username }) => username)).toContain('many-0')
    },
  )

  test('are all counted without a search or a status', async () => {
    expect(await listOf({})).toMatchObject({ total: amount, isMore: false })
    expect(await listOf({ status: 'banned' })).toMatchObject({ total: 0, isMore: false })
  })

  test('active, expired, and by level are counted up to 10,000, or exactly if few are of the other status', async () => {
    const expire = (expiresAt: number | null) =>
      app.db.write(async ({ db: trx }) => {
        const some = trx.selectFrom('users').select('id').where('app_id', '=', many.appId).orderBy('id').limit(10_050)
        await trx
          .updateTable('user_subscriptions')
          .set({ expires_at: expiresAt })
          .where('app_id', '=', many.appId)
          .where('user_id', 'in', some)
          .execute()
      })
    const active = { status: 'active' } as const
    expect(await listOf(active)).toMatchObject({ total: amount, isMore: false, counts: { active: amount, expired: 0 } })
    await expire(app.now() - 5)
    const counts = { total: amount, active: null, expired: null }
    expect(await listOf(active)).toMatchObject({ total: 10_000, isMore: true, counts })
    const all = await listOf({ ...active, count: 'all' })
    expect(all).toMatchObject({ total: 10_050, counts: { active: 10_050, expired: 10_050 } })
    const { body } = await many.visitor.call('GET /user_facets')
    expect(body.levels).toEqual([{ level: 1, count: 10_000, isMore: true }])
    await expire(null)
  })
})
