import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOfBlock } from '#database/id-blocks.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Pages in the middle of long lists, whose rows are counted by blocks of IDs, of which some have no row of the app. */

const amount = 24_000
const limit = 100

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

/** Of blocks of 131,072 IDs, this list has the first, the third to the fifth, and the seventh. */
const ids = Array.from({ length: amount }, (_, at) => (at < 2_000 ? at * 3 + 1 : 262_143 + at * 25)).filter(
  (id) => id < 600_000 || id > 786_432,
)

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
})
afterAll(() => app.close())

interface Row {
  id: number
  name: string
  banned: number
}

const rowsOf = (prefix: string): Row[] =>
  ids.map((id, at) => ({ id, name: `${prefix}${id}`, banned: at % 3 === 0 ? 1 : 0 }))

async function insert(columns: readonly string[], rows: readonly (readonly unknown[])[], table: string): Promise<void> {
  await app.db.write(async ({ db }) => {
    for (let at = 0; at < rows.length; at += 1_000) {
      const values = rows.slice(at, at + 1_000).map((row) => sql`(${sql.join(row)})`)
      const names = sql.join(columns.map((name) => sql.ref(name)))
      await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(db)
    }
  })
}

const insertLicenses = (appId: string, rows: Row[]) =>
  insert(
    ['id', 'app_id', 'license', 'level', 'duration_seconds', 'banned', 'created_at'],
    rows.map(({ id, name, banned }) => [id, appId, name, 1, 60, banned, 1]),
    'licenses',
  )

const insertUsers = (appId: string, rows: Row[]) =>
  insert(
    ['id', 'app_id', 'username', 'username_key', 'banned', 'created_at'],
    rows.map(({ id, name, banned }) => [id, appId, name, name, banned, 1]),
    'users',
  )

const lists = {
  licenses: {
    insert: insertLicenses,
    async page(query: { page: number; sort?: 'created'; status?: 'unused' | 'banned' }) {
      const { body } = await owner.visitor.call('GET /licenses', { query: { limit, ...query } })
      return { total: body.total, names: body.licenses.map(({ license }) => license) }
    },
  },
  users: {
    insert: insertUsers,
    async page(query: { page: number; sort?: 'created'; status?: 'unused' | 'banned' }) {
      const { status, ...others } = query
      const { body } = await owner.visitor.call('GET /users', {
        query: { limit, ...others, ...(status && { status: status === 'unused' ? 'expired' : status }) },
      })
      return { total: body.total, names: body.users.map(({ username }) => username) }
    },
  },
}

/** Every seventh page, and those at the ends and in the middle. */
const somePages = (last: number) =>
  new Set([1, 2, Math.floor(last / 2), Math.ceil(last / 2) + 1, last - 1, last].concat(everySeventh(last)))

const everySeventh = (last: number) => Array.from({ length: Math.floor(last / 7) }, (_, at) => (at + 1) * 7)

describe.each(['licenses', 'users'] as const)('the list of %s', (table) => {
  const list = lists[table]
  let rows: Row[]

  async function expectPages(): Promise<void> {
    for (const status of [undefined, 'unused' as const, 'banned' as const]) {
      const matching = rows.filter(({ banned }) => status === undefined || (status === 'banned') === (banned === 1))
      for (const sort of [undefined, 'created' as const]) {
        const inOrder = (sort ? matching : matching.toReversed()).map(({ name }) => name)
        for (const page of somePages(Math.ceil(inOrder.length / limit))) {
          const query = { page, ...(sort && { sort }), ...(status && { status }) }
          const names = inOrder.slice((page - 1) * limit, page * limit)
          expect({ query, ...(await list.page(query)) }).toEqual({ query, total: inOrder.length, names })
        }
      }
    }
  }

  beforeAll(async () => {
    rows = rowsOf('R')
    await list.insert(owner.appId, rows)
    // Rows of another app between them.
    const foreign = rowsOf('S').slice(0, 3_000)
    await list.insert(
      stranger.appId,
      foreign.map((row) => ({ ...row, id: row.id + 1 })),
    )
  })

  test('has every row once, in both orders', expectPages)

  test('is read from the block of its page, whose rows alone are passed', async () => {
    const counts = { table: table === 'users' ? ('user_counts' as const) : ('license_counts' as const) }
    const startAt = (offset: number, isUpwards: boolean) =>
      startOfBlock(app.db.reports, { ...counts, appId: owner.appId }, { offset, isUpwards })
    const bounds = { upwards: '>=', downwards: '<' } as const
    for (const [direction, operator] of Object.entries(bounds)) {
      const isUpwards = direction === 'upwards'
      const inOrder = isUpwards ? ids : ids.toReversed()
      const { offset, bound } = await startAt(9_000, isUpwards)
      const isInside = (id: number) => (isUpwards ? id >= (bound?.id ?? 0) : id < (bound?.id ?? 0))
      expect(bound?.operator).toBe(operator)
      expect(inOrder.filter(isInside)[offset]).toBe(inOrder[9_000])
      expect(offset).toBeLessThan(131_072 / 25)
    }
    expect(await startAt(400, true)).toEqual({ offset: 400 })
    expect(await startAt(amount, true)).toEqual({ offset: amount })
  })

  test('still does when rows have been deleted, and some have another state', async () => {
    const isDeleted = ({ id }: Row) => (id > 300_000 && id < 400_000) || id % 11 === 0
    const isUnbanned = ({ id }: Row) => id % 7 === 0
    const choice = (chosen: Row[]) => sql`app_id = ${owner.appId} and id in (${sql.join(chosen.map(({ id }) => id))})`
    await app.db.write(async ({ db }) => {
      for (let at = 0; at < rows.length; at += 1_000) {
        const part = rows.slice(at, at + 1_000)
        const [deleted, unbanned] = [part.filter(isDeleted), part.filter(isUnbanned)]
        if (deleted.length > 0) await sql`delete from ${sql.table(table)} where ${choice(deleted)}`.execute(db)
        if (unbanned.length > 0)
          await sql`update ${sql.table(table)} set banned = 0 where ${choice(unbanned)}`.execute(db)
      }
    })
    rows = rows.filter((row) => !isDeleted(row)).map((row) => (isUnbanned(row) ? { ...row, banned: 0 } : row))
    await expectPages()
  })
})
