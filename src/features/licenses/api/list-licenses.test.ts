import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectQueriesRejected, notQueryIntegers, seen } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
/** Oldest first: 57 licenses of level 1, then 6 of level 2. */
let keys: string[]
let used: string[]
let banned: string[]
let lifetime: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  await newLicenses(stranger, 5)
  await owner.visitor.call('POST /create_subscription', { body: { name: 'Pro', level: 2 } })
  keys = await newLicenses(owner, 56)
  lifetime = (await newLicenses(owner, 1, { expiryUnit: 'lifetime' }))[0] as string
  keys.push(lifetime, ...(await newLicenses(owner, 6, { subscription: 2, duration: 5 })))
  used = [keys[0], keys[1], keys[2], lifetime, keys[60]] as string[]
  banned = [keys[2], keys[10], keys[11]] as string[]
  const program = await Program.of(app, owner)
  await program.init()
  for (const key of used) await program.license(key)
  for (const licenseKey of banned) await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
})
afterAll(() => app.close())

async function list(query: Calls['GET /licenses']['query'] = {}) {
  const { status, body } = await owner.visitor.call('GET /licenses', { query })
  expect(status).toBe(200)
  return { ...body, keys: body.licenses.map(({ license }) => license) }
}

describe('paging', () => {
  test('the first page has 10 licenses, newest first', async () => {
    const { keys: page, total, totalPages } = await list()
    expect({ total, totalPages }).toEqual({ total: 63, totalPages: 7 })
    const { licenses } = await list({ limit: 100 })
    expect(page).toEqual(licenses.slice(0, 10).map(({ license }) => license))
    expect(new Set(page.slice(0, 6))).toEqual(new Set(keys.slice(57)))
  })

  test.each([1, 7, 10, 25, 62, 63, 64, 100])('pages of %i contain every license once, in one order', async (limit) => {
    const whole = (await list({ limit: 100 })).keys
    const { totalPages } = await list({ limit })
    expect(totalPages).toBe(Math.ceil(63 / limit))
    const pages: string[][] = []
    for (let page = 1; page <= totalPages; page++) pages.push((await list({ limit, page })).keys)
    expect(pages.flat()).toEqual(whole)
    expect(new Set(whole)).toEqual(new Set(keys))
    expect(pages.at(-1)).toHaveLength(63 % limit || limit)
  })

  test.each([8, 9, 1000, 10_000_000])('page %i is past the end: empty, but with the totals', async (page) => {
    expect(await list({ page })).toMatchObject({ licenses: [], total: 63, totalPages: 7 })
  })

  test('filtered lists are paged up to their last page', async () => {
    const pages = [1, 2, 3, 4].map((page) => list({ level: 2, limit: 2, page }))
    const found = (await Promise.all(pages)).map((page) => page.keys)
    expect(found.map(({ length }) => length)).toEqual([2, 2, 2, 0])
    expect(new Set(found.flat())).toEqual(new Set(keys.slice(57)))
  })

  test('an app without licenses has one empty page', async () => {
    const nobody = await newOwnerWithApp(app)
    const { body } = await nobody.visitor.call('GET /licenses')
    expect(body).toMatchObject({
      licenses: [],
      total: 0,
      totalPages: 1,
      counts: { total: 0, unused: 0, used: 0, banned: 0, expiring: 0 },
    })
  })
})

describe('rows', () => {
  test('an unused license has both names of its key', async () => {
    const [row] = (await list({ search: keys[20] })).licenses
    expect(row).toEqual({
      license: keys[20],
      licenseKey: keys[20],
      subscription: { level: 1, name: 'Basic' },
      level: 1,
      expiry: 2_592_000,
      expiresAt: null,
      notes: '',
      generatedBy: '',
      generatedByReseller: false,
      used: false,
      usedBy: '',
      usedAt: null,
      banned: false,
      creationDate: expect.any(Number),
    })
  })

  test('a redeemed license has its user, time of redemption, and end', async () => {
    const [row] = (await list({ search: keys[0] })).licenses
    expect(row).toMatchObject({ used: true, usedBy: keys[0], banned: false })
    expect(row?.expiresAt).toBe(Number(row?.usedAt) + 2_592_000)
    expect((await list({ search: lifetime })).licenses[0]).toMatchObject({ used: true, expiry: 0, expiresAt: null })
  })

  test('no field exposes internals of the database', async () => {
    const text = JSON.stringify((await list()).licenses)
    for (const inside of ['app_id', owner.appId, 'used_by_user_id', 'reseller_id']) expect(text).not.toContain(inside)
  })
})

describe('filters', () => {
  test('filtering and counting by a status agree', async () => {
    const { counts } = await list()
    expect(counts).toEqual({ total: 63, unused: 56, used: 4, banned: 3, expiring: 1 })
    for (const status of ['unused', 'used', 'banned', 'expiring'] as const) {
      const { total, keys: found } = await list({ status, limit: 100 })
      expect(total).toBe(counts[status])
      expect(found).toHaveLength(total)
    }
    expect(new Set((await list({ status: 'banned' })).keys)).toEqual(new Set(banned))
    expect(new Set((await list({ status: 'used' })).keys)).toEqual(new Set(used.filter((key) => !banned.includes(key))))
    expect((await list({ status: 'expiring' })).keys).toEqual([keys[60]])
  })

  test('filters can be combined, also with a search', async () => {
    expect((await list({ level: 2, status: 'used' })).keys).toEqual([keys[60]])
    expect((await list({ level: 1, status: 'expiring' })).keys).toEqual([])
    expect((await list({ search: keys[60], level: 2, status: 'used' })).keys).toEqual([keys[60]])
    expect((await list({ search: keys[60], level: 1 })).keys).toEqual([])
    expect((await list({ search: keys[60], status: 'unused' })).keys).toEqual([])
  })

  test('a level without licenses gives an empty list', async () => {
    expect(await list({ level: 3 })).toMatchObject({ licenses: [], total: 0, totalPages: 1 })
  })

  test('counts cover the whole app, regardless of filters', async () => {
    const { counts } = await list({ status: 'banned', search: keys[2], level: 1 })
    expect(counts.total).toBe(63)
  })

  test('a license that ends within seven days is expiring until it has ended', async () => {
    const other = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(other, 1, { duration: 8 })
    const program = await Program.of(app, other)
    await program.init()
    await program.license(key)
    const expiring = async () => (await other.visitor.call('GET /licenses')).body.counts.expiring
    expect(await expiring()).toBe(0)
    const [row] = (await other.visitor.call('GET /licenses')).body.licenses
    app.advance(Number(row?.expiresAt) - 7 * 86_400 - app.now())
    await signInAgain(other)
    expect(await expiring()).toBe(1)
    app.advance(7 * 86_400)
    await signInAgain(other)
    expect(await expiring()).toBe(0)
  })
})

describe('rejecting', () => {
  test('hostile queries', async () => {
    await signInAgain(owner)
    await signInAgain(stranger)
    await expectQueriesRejected(owner.visitor, '/licenses', [
      ...notQueryIntegers.map((page) => ({ page })),
      ...notQueryIntegers.map((limit) => ({ limit })),
      ...notQueryIntegers.map((level) => ({ level })),
      { page: '10000001' },
      { limit: '101' },
      { level: '99999999999999999999' },
      { status: 'USED' },
      { status: `used' or 1=1` },
      { search: 's'.repeat(201) },
      { search: 'NUL \0 inside' },
      { noSuchField: '1' },
      { __proto__x: '1' },
    ])
  })

  test('a field sent twice', async () => {
    const answer = await owner.visitor.send('GET', '/api/1.0/website/licenses?search=a&search=b')
    expect(answer.status).toBe(400)
  })

  test("a search never finds another owner's license", async () => {
    const foreign = await stranger.visitor.call('GET /licenses', { query: { search: keys[0] } })
    const missing = await stranger.visitor.call('GET /licenses', { query: { search: 'zzzz-zzzz-zzzz-zzzz' } })
    expect(seen(foreign)).toBe(seen(missing))
  })
})

describe('more than 10,000 matches', () => {
  let many: OwnedApp
  const amount = 10_050
  const listOf = async (query: Calls['GET /licenses']['query']) =>
    (await many.visitor.call('GET /licenses', { query: { limit: 100, ...query } })).body

  beforeAll(async () => {
    many = await newOwnerWithApp(app)
    for (let left = amount; left > 0; left -= 1000) await newLicenses(many, Math.min(left, 1000), { notes: 'bulk' })
  })

  test.each([{ search: 'bulk' }, { level: 1 }])(
    'of %o are counted up to 10,000, with a mark that there are more',
    async (query) => {
      expect(await listOf(query)).toMatchObject({ total: 10_000, isMore: true, totalPages: 100 })
      const { total, isMore, totalPages } = await listOf({ ...query, count: 'all' })
      expect({ total, isMore, totalPages }).toEqual({ total: amount, isMore: false, totalPages: 101 })
    },
  )

  test('are paged in one order, counted or not', async () => {
    const all = (await listOf({ page: 60 })).licenses
    expect((await listOf({ search: 'bulk', page: 60 })).licenses).toEqual(all)
    expect((await listOf({ search: 'bulk', page: 60, count: 'all' })).licenses).toEqual(all)
    expect((await listOf({ search: 'bulk', page: 101 })).licenses).toEqual([])
    const last = (await listOf({ page: 101 })).licenses
    expect(last).toHaveLength(50)
    expect((await listOf({ search: 'bulk', page: 101, count: 'all' })).licenses).toEqual(last)
  })

  test('are all counted where that costs nothing: without a search, and by status', async () => {
    for (const query of [{}, { status: 'unused' }] as const)
      expect(await listOf(query)).toMatchObject({ total: amount, isMore: false })
  })

  test('10,000 matches are not more than 10,000', async () => {
    const { licenses } = await listOf({ limit: 50 })
    await many.visitor.call('POST /licenses/bulk', {
      body: { action: 'delete', licenses: licenses.map(({ license }) => license) },
    })
    expect(await listOf({ search: 'bulk' })).toMatchObject({ total: 10_000, isMore: false })
    for (const [page, limit, rows] of [
      [100, 100, 100],
      [101, 100, 0],
    ] as const) {
      const found = await listOf({ search: 'bulk', page, limit })
      expect(found).toMatchObject({ total: 10_000, isMore: false })
      expect(found.licenses).toEqual((await listOf({ page, limit })).licenses)
      expect(found.licenses).toHaveLength(rows)
    }
  })
})

/** For use after the clock has advanced by days, which ends the session. */
async function signInAgain({ visitor, username, password, appId }: OwnedApp): Promise<void> {
  await visitor.call('POST /login', { body: { username, password } })
  await visitor.call('POST /select_app', { body: { appId } })
}
