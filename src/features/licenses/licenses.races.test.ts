import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program, type ProgramAnswer } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { Answer } from '#testing/people/visitor.ts'

/** R-LIC-02: concurrent changes to one license end in a state that some sequential order would have produced. */

const rounds = 50
const day = 86_400
let app: TestApp
let owner: OwnedApp
let first: Program
let second: Program

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(60)
  first = await Program.of(app, owner)
  second = await Program.of(app, owner)
  await first.init()
  await second.init()
})

const post = (path: string, body: object): Promise<Answer> =>
  owner.visitor.send('POST', `/api/1.0/website${path}`, { body })

async function stateOf(license: string) {
  const { read } = app.db
  const row = await read
    .selectFrom('licenses')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .where('license', '=', license)
    .executeTakeFirst()
  const user = await read
    .selectFrom('users')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .where('username', '=', license)
    .executeTakeFirst()
  const held = await read
    .selectFrom('user_subscriptions')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .where('user_id', '=', user?.id ?? -1)
    .execute()
  return { row, user, held }
}

/** Holds in every order of events: the license and its user are consistent. */
async function expectOneStory(license: string) {
  const state = await stateOf(license)
  const { row, user, held } = state
  if (row?.used === 1) {
    expect(row).toMatchObject({ used_by: license, used_by_user_id: user?.id })
    expect(held).toMatchObject([{ license_id: row.id, level: row.level, expires_at: row.expires_at }])
    expect(row.expires_at).toBe(row.duration_seconds === 0 ? null : (row.used_at as number) + row.duration_seconds)
  } else if (row)
    expect({ user, held, usedBy: row.used_by, expires: row.expires_at }).toEqual({
      user: undefined,
      held: [],
      usedBy: null,
      expires: null,
    })
  return state
}

/** Runs both concurrently, in either order of sending, and checks the outcome of each round. */
async function race<A, B>(
  [one, other]: [(license: string) => Promise<A>, (license: string) => Promise<B>],
  check: (license: string, a: A, b: B) => Promise<void>,
  prepare?: (license: string) => Promise<unknown>,
): Promise<void> {
  const licenses = await newLicenses(owner, rounds)
  for (const [round, license] of licenses.entries()) {
    if (round % 8 === 7) app.advance(60)
    await prepare?.(license)
    const started = round % 2 === 0 ? ([one(license), other(license)] as const) : undefined
    const late = started ? undefined : other(license)
    const [a, b] = started ? await Promise.all(started) : await Promise.all([one(license), late as Promise<B>])
    await check(license, a, b)
  }
}

const redeem = (program: () => Program) => (license: string) => program().license(license)
const code = ({ body }: ProgramAnswer | Answer) => (body.success ? 'done' : body.code)

test('redeem ∥ redeem: one user, one redemption, and both programs sign in as that user (R-LIC-02)', async () => {
  await race([redeem(() => first), redeem(() => second)], async (license, a, b) => {
    const { row } = await expectOneStory(license)
    expect(row?.used).toBe(1)
    expect([code(a), code(b)]).toEqual(['done', 'done'])
    // One session per credential: the later sign-in has ended the session of the earlier one.
    await Promise.all([first.init(), second.init()])
  })
})

test('redeem ∥ ban: redeemed and banned, or banned and never redeemed; no session stays (R-LIC-02)', async () => {
  const ban = (licenseKey: string) => post('/toggle_ban_license', { licenseKey, banned: true })
  await race([redeem(() => first), ban], async (license, redeemed, banned) => {
    const { row } = await expectOneStory(license)
    expect([code(banned), row?.banned]).toEqual(['done', 1])
    expect(row?.used).toBe(redeemed.body.success ? 1 : 0)
    if (!redeemed.body.success) expect(code(redeemed)).toBe('LICENSE_BANNED')
    else expect(code(await first.heartbeat())).toBe('LICENSE_BANNED')
    await first.init()
  })
})

test('redeem ∥ delete: deleted either way; the user exists only if the program redeemed first (R-LIC-02)', async () => {
  const remove = (licenseKey: string) => post('/delete_license', { licenseKey })
  await race([redeem(() => first), remove], async (license, redeemed, removed) => {
    const { row, user } = await expectOneStory(license)
    expect([code(removed), row]).toEqual(['done', undefined])
    expect(user !== undefined).toBe(redeemed.body.success)
    if (!redeemed.body.success) expect(code(redeemed)).toBe('LICENSE_NOT_FOUND')
    else expect(code(await first.heartbeat())).toBe('SESSION_ENDED')
    await first.init()
  })
})

test('redeem ∥ delete with its user: both are deleted', async () => {
  const remove = (licenseKey: string) => post('/delete_license', { licenseKey, deleteUser: true })
  await race([redeem(() => first), remove], async (license, _redeemed, removed) => {
    expect(await expectOneStory(license)).toEqual({ row: undefined, user: undefined, held: [] })
    expect(code(removed)).toBe('done')
    expect((await first.heartbeat()).body.success).toBe(false)
    await first.init()
  })
})

test("redeem ∥ new expiry and level: the user gets the license's values", async () => {
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  const change = (licenseKey: string) => post('/update_license', { licenseKey, expiry: 90 * day, subscription: 2 })
  await race([redeem(() => first), change], async (license, redeemed, changed) => {
    const { row } = await expectOneStory(license)
    expect([code(redeemed), code(changed)]).toEqual(['done', 'done'])
    expect(row).toMatchObject({ used: 1, duration_seconds: 90 * day, level: 2 })
  })
})

test('redeem ∥ add time: the time is added once, for license and user', async () => {
  const add = (license: string) => post('/add_time_licenses', { licenses: [license], expiryUnit: 'days', duration: 10 })
  await race([redeem(() => first), add], async (license, redeemed, added) => {
    const { row } = await expectOneStory(license)
    expect([code(redeemed), code(added)]).toEqual(['done', 'done'])
    expect(row).toMatchObject({ used: 1, duration_seconds: 40 * day })
  })
})

test('add time ∥ new expiry on a redeemed license: applied one after the other, never mixed', async () => {
  const add = (license: string) => post('/add_time_licenses', { licenses: [license], expiryUnit: 'days', duration: 10 })
  const change = (licenseKey: string) => post('/update_license', { licenseKey, expiry: 90 * day })
  const check = async (license: string) => {
    const { row } = await expectOneStory(license)
    expect([90 * day, 100 * day]).toContain(row?.duration_seconds)
  }
  await race(
    [add, change],
    check,
    redeem(() => first),
  )
})

test('ban ∥ unban: the license is in one of the two requested states', async () => {
  const ask = (banned: boolean) => (licenseKey: string) => post('/toggle_ban_license', { licenseKey, banned })
  await race([ask(true), ask(false)], async (license, a, b) => {
    const { row } = await expectOneStory(license)
    expect([code(a), code(b)]).toEqual(['done', 'done'])
    expect([0, 1]).toContain(row?.banned)
  })
})

test('toggle ∥ toggle: both count, so the license ends in its first state', async () => {
  const toggle = (licenseKey: string) => post('/toggle_ban_license', { licenseKey })
  await race([toggle, toggle], async (license, a, b) => {
    expect(new Set([a.body['banned'], b.body['banned']])).toEqual(new Set([true, false]))
    expect((await stateOf(license)).row?.banned).toBe(0)
  })
})

test('ban ∥ delete: deleted, and the ban reports the license as banned or missing', async () => {
  const ban = (licenseKey: string) => post('/toggle_ban_license', { licenseKey, banned: true })
  const remove = (licenseKey: string) => post('/delete_license', { licenseKey })
  await race([ban, remove], async (license, banned, removed) => {
    expect(code(removed)).toBe('done')
    expect(['done', 'LICENSE_NOT_FOUND']).toContain(code(banned))
    expect((await stateOf(license)).row).toBeUndefined()
  })
})

test('afterwards the counts match the rows', async () => {
  const { body } = await owner.visitor.call('GET /licenses')
  const rows = await app.db.read
    .selectFrom('licenses')
    .select(['used', 'banned'])
    .where('app_id', '=', owner.appId)
    .execute()
  expect(body.counts).toMatchObject({
    total: rows.length,
    banned: rows.filter(({ banned }) => banned === 1).length,
    used: rows.filter(({ used, banned }) => used === 1 && banned === 0).length,
  })
})
