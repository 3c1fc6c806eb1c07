import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { migrateSqlite } from '#database/migrate.ts'
import { keysInOrder } from '#database/searched-rows.ts'
import { longestTime, type RowOrder } from '#database/sort-order.ts'
import { keepStatistics } from '#database/sqlite/planner-statistics.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { usersByLevel } from '#features/entitlements/entitlements.reads.ts'
import { licensesByLevel } from '#features/licenses/license-facets.reads.ts'
import {
  licenseOrder,
  type LicenseSort,
  licensesInOrder,
  listPage as listLicenses,
} from '#features/licenses/license-pages.reads.ts'
import {
  countFiltered as countLicenses,
  type License,
  type LicenseFilter,
  stillMatches as matchingLicenses,
} from '#features/licenses/licenses.reads.ts'
import { licenseSorts } from '#features/licenses/licenses.rules.ts'
import { listPage as listUsers, userOrder, type UserSort, usersInOrder } from '#features/users/user-pages.reads.ts'
import { plainUpTo, type User, type UserFilter, stillMatches as matchingUsers } from '#features/users/users.reads.ts'
import { userSorts } from '#features/users/user-list.rules.ts'
import { newSubscriber, newUser, signedIn, subscribe } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { PostgresPlans } from '#testing/plans/postgres-plans.ts'
import { SqlitePlans, type StatementPlans } from '#testing/plans/statement-plans.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

/**
 * Long lists in each of their orders, however they are read: short results are sorted, long ones are read in the order of
 * an index, the second half from the end.
 */

let app: TestApp
let owner: OwnedApp
let began: number

const levels = [1, 2, 3]
const users = ['berta', 'anna', 'dora', 'carl', 'emil', 'franz', 'gina', 'hugo']

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  began = app.now()
  const { visitor } = owner
  for (const level of levels.slice(1))
    await visitor.call('POST /create_subscription', { body: { name: `L${level}`, level } })
  for (const subscription of levels) {
    const kinds = [
      await newLicenses(owner, 4, { subscription, lowercase: false, duration: 4 - subscription }),
      await newLicenses(owner, 2, { subscription, lowercase: false, expiryUnit: 'lifetime' }),
      await newLicenses(owner, 2, { subscription, lowercase: false, duration: 60 }),
    ]
    for (const [at, key] of kinds.flat().entries()) {
      if (at % 2 === 0) {
        const program = await Program.of(app, owner)
        await program.init()
        const { body } = await program.license(key)
        if (!body.success) throw new Error(`A license was not redeemed: ${body.message}`)
      }
      if (at % 3 === 0) await visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
      if (at % 4 === 0) app.advance(7)
    }
  }
  for (const [at, username] of users.entries()) {
    if (at % 4 === 3) await newUser(owner, username)
    else await newSubscriber(owner, { username, days: at % 4 === 0 ? null : 20 - at })
    if (at % 3 === 0) await subscribe(owner, username, { level: 2, days: 40 })
    if (at === 1 || at === 4) await signedIn(app, owner, username)
    if (at % 4 === 1) await visitor.call('POST /toggle_pause_user', { body: { username, paused: true } })
    if (at === 0 || at === 2) await visitor.call('POST /toggle_ban_user', { body: { username, banned: true } })
    app.advance(3)
  }
})
afterAll(() => app.close())

type Value = number | string

const compare = (one: readonly Value[], other: readonly Value[]): number => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : (one[at] as Value) < (other[at] as Value) ? -1 : 1
}

const both = <C extends string>(sorts: readonly C[]) => sorts.flatMap((sort) => [sort, `-${sort}`] as const)

/** All rows in the order of a sort; those with equal values by ID. */
const inOrder = <R extends { id: number }>(rows: readonly R[], valuesOf: (row: R) => Value[], sort: string): R[] =>
  rows.toSorted(
    (one, other) =>
      compare([...valuesOf(one), Number(one.id)], [...valuesOf(other), Number(other.id)]) *
      (sort.startsWith('-') ? -1 : 1),
  )

const pageSize = 5

/** The pages of a list together, as short results are read, and as those are of which there are more than were counted. */
async function eachWay<R>(
  total: number,
  read: (page: { offset: number; limit: number; total: number; isMore: boolean }) => Promise<R[]>,
): Promise<Record<'short' | 'long', R[]>> {
  const pages = { short: [] as R[], long: [] as R[] }
  for (let offset = 0; offset < total; offset += pageSize) {
    pages.short.push(...(await read({ offset, limit: pageSize, total, isMore: false })))
    pages.long.push(...(await read({ offset, limit: pageSize, total, isMore: true })))
  }
  return pages
}

describe('licenses', () => {
  const valuesOf: Record<string, (row: License) => Value[]> = {
    license: ({ license }) => [license],
    status: ({ state }) => [state],
    subscription: ({ level }) => [level],
    expiry: ({ expires_at: end }) => [Number(end ?? longestTime)],
    created: () => [],
  }
  const filters = (): LicenseFilter[] => [
    {},
    { status: 'used' },
    { status: 'unused,banned' },
    { status: 'expiring' },
    { level: '1,3' },
    { level: 2, status: 'banned' },
    { redeemed: true },
    { createdFrom: began + 1, createdUntil: app.now() - 40 },
    { createdUntil: app.now(), status: 'banned', level: '1,2' },
    { createdFrom: began, redeemedFrom: began },
    { redeemedFrom: began, redeemedUntil: app.now() - 10 },
    { expiresFrom: app.now() },
    { expiresUntil: app.now() + 86_400 * 30, status: 'used' },
    { search: '-' },
  ]

  test.each(both(licenseSorts))('licenses by %s are in one order, in pages without gaps', async (sort: LicenseSort) => {
    const { appId } = owner
    const now = app.now()
    const all = await app.db.read.selectFrom('licenses').selectAll().where('app_id', '=', appId).execute()
    expect(all).toHaveLength(24)
    for (const filter of filters()) {
      const expected = inOrder(matchingLicenses(all, filter, now), valuesOf[sort.replace('-', '')] ?? (() => []), sort)
      expect(expected.length, JSON.stringify(filter)).toBeGreaterThan(0)
      expect(await countLicenses(app.db, { appId, filter, now })).toBe(expected.length)
      const pages = await eachWay(expected.length, (page) =>
        listLicenses(app.db, { appId, filter, now, sort, ...page }),
      )
      for (const [way, rows] of Object.entries(pages))
        expect(
          rows.map(({ license }) => license),
          `${way} ${JSON.stringify(filter)}`,
        ).toEqual(expected.map(({ license }) => license))
    }
  })

  test('without a choice, those of a period are in its order', async () => {
    const read = async (query: object) =>
      (await owner.visitor.call('GET /licenses', { query: { limit: 100, ...query } })).body.licenses
    const redeemed = await read({ redeemedFrom: began })
    expect(redeemed.map(({ usedAt }) => usedAt)).toEqual(
      redeemed.map(({ usedAt }) => usedAt).toSorted((one, other) => Number(other) - Number(one)),
    )
    const ending = await read({ expiresFrom: app.now() })
    expect(ending.length).toBeGreaterThan(2)
    const created = await read({ createdUntil: app.now(), status: 'unused' })
    expect(created.length).toBeGreaterThan(2)
    expect(created.map(({ creationDate }) => creationDate)).toEqual(
      created.map(({ creationDate }) => creationDate).toSorted((one, other) => other - one),
    )
    expect(ending.map(({ expiresAt }) => expiresAt)).toEqual(
      ending.map(({ expiresAt }) => expiresAt).toSorted((one, other) => Number(one) - Number(other)),
    )
  })
})

describe('users', () => {
  const valuesOf: Record<string, (row: User) => Value[]> = {
    username: ({ username_key: key }) => [key],
    timeLeft: ({ paused, access_until: end }) => [paused, Number(end)],
    lastLogin: ({ last_login_at: at }) => [Number(at ?? 0)],
    created: () => [],
  }
  const filters = (): UserFilter[] => [
    {},
    { status: 'active' },
    { status: 'expired,paused' },
    { status: 'banned' },
    { level: 2 },
    { level: '1,2', status: 'active' },
    { createdFrom: began + 1, createdUntil: app.now() - 5 },
    { createdUntil: app.now(), status: 'banned,paused' },
    { lastLoginFrom: began + 1 },
    { lastLoginUntil: app.now() - 5, status: 'active,expired' },
    { lastLoginFrom: began, createdFrom: began + 1 },
    { search: 'a' },
  ]

  test.each(both(userSorts))('users by %s are in one order, in pages without gaps', async (sort: UserSort) => {
    const { appId } = owner
    const now = app.now()
    const all = await app.db.read.selectFrom('users').selectAll().where('app_id', '=', appId).execute()
    for (const filter of filters()) {
      const found = (await matchingUsers(app.db.read, all, { appId, filter, now })).filter(
        ({ username }) => filter.search === undefined || username.toLowerCase().includes(filter.search),
      )
      const expected = inOrder(found, valuesOf[sort.replace('-', '')] ?? (() => []), sort)
      expect(expected.length, JSON.stringify(filter)).toBeGreaterThan(0)
      const pages = await eachWay(expected.length, (page) => listUsers(app.db, { appId, filter, now, sort, ...page }))
      for (const [way, rows] of Object.entries(pages))
        expect(
          rows.map(({ username }) => username),
          `${way} ${JSON.stringify(filter)}`,
        ).toEqual(expected.map(({ username }) => username))
    }
  })
})

describe('at a million rows', () => {
  const appId = 'app_AAAAAAAAAAAAAAAA'

  /** The plans of an engine; `change` is SQL that makes its tables differ from the server's. */
  async function plansAfter(change: string): Promise<StatementPlans & { close?: () => Promise<void> }> {
    if (testEngine === 'postgres') return PostgresPlans.open(await freshPostgresUrl(), change)
    const connection = new SqliteConnection(':memory:')
    migrateSqlite(connection)
    keepStatistics(connection)
    connection.database.function('report_goes_on', () => 1)
    if (change) connection.database.exec(change)
    return new SqlitePlans(connection)
  }

  async function firstPage(db: Database, list: 'licenses' | 'users', sort: string, descending: boolean) {
    const choice = { appId, filter: {}, now: 1_800_000_000 }
    const directed = descending ? `-${sort}` : sort
    const [rows, order] =
      list === 'licenses'
        ? [await licensesInOrder(db, choice), licenseOrder(db.reports, {}, directed as LicenseSort)]
        : [await usersInOrder(db, choice), userOrder({}, directed as UserSort)]
    return keysInOrder<'licenses' | 'users'>(rows, order as RowOrder)
      .limit(10)
      .compile()
  }

  test.each(
    [
      ...licenseSorts.map((sort) => ['licenses', sort] as const),
      ...userSorts.map((sort) => ['users', sort] as const),
    ].filter(([, sort]) => sort !== 'created'),
  )('a page of %s by %s is read from an index', async (list, sort) => {
    const plans = await plansAfter('')
    for (const descending of [false, true]) {
      const { sql, parameters } = await firstPage(app.db, list, sort, descending)
      expect(await plans.scansOf(sql, parameters), sql).toEqual([])
    }
    await plans.close?.()
  })

  test('licenses that were created within a period are counted and read from an index', async () => {
    const filter = { createdFrom: 1_700_000_000, createdUntil: 1_700_600_000 }
    const rows = await licensesInOrder(app.db, { appId, filter, now: 1_800_000_000 })
    const pages = [undefined, 'created' as const].map((sort) =>
      keysInOrder<'licenses'>(rows, licenseOrder(app.db.reports, filter, sort) as RowOrder)
        .limit(10)
        .compile(),
    )
    const count = rows.query.select(rows.id.as('id')).limit(10_001).compile()
    const plans = await plansAfter('')
    for (const { sql, parameters } of [...pages, count]) expect(await plans.scansOf(sql, parameters), sql).toEqual([])
    await plans.close?.()
    const without = await plansAfter('drop index licenses_created')
    for (const { sql, parameters } of pages) expect(await without.scansOf(sql, parameters), sql).not.toEqual([])
    await without.close?.()
  })

  test('users who last signed in within a period are counted and read from an index', async () => {
    const choice = {
      appId,
      filter: { lastLoginFrom: 1_700_000_000, lastLoginUntil: 1_700_600_000 },
      now: 1_800_000_000,
    }
    const rows = await usersInOrder(app.db, choice)
    const page = keysInOrder<'users'>(rows, userOrder(choice.filter) as RowOrder).limit(10)
    const count = rows.query.select(rows.id.as('id')).limit(10_001)
    const plans = await plansAfter('')
    for (const { sql, parameters } of [page.compile(), count.compile()])
      expect(await plans.scansOf(sql, parameters), sql).toEqual([])
    await plans.close?.()
    const without = await plansAfter('drop index users_last_login')
    const { sql, parameters } = page.compile()
    expect(await without.scansOf(sql, parameters), sql).not.toEqual([])
    await without.close?.()
  })

  test('levels and statuses are counted from an index, no further than the limit', async () => {
    const db = app.db.reports
    const plans = await plansAfter('')
    for (const query of [
      licensesByLevel(db, appId, 1000),
      usersByLevel(db, appId, 1000),
      plainUpTo(db, { appId, status: 'active', now: 1_800_000_000 }, 1000),
    ]) {
      const { sql, parameters } = query.compile()
      expect(sql).toContain('limit')
      expect(await plans.scansOf(sql, parameters), sql).toEqual([])
    }
    await plans.close?.()
  })

  test('without its index, an order would be a scan', async () => {
    const { sql, parameters } = await firstPage(app.db, 'users', 'lastLogin', true)
    const plans = await plansAfter('drop index users_last_login')
    expect(await plans.scansOf(sql, parameters)).not.toEqual([])
    await plans.close?.()
  })
})
