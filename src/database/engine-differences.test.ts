import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { isPostgres, isUniqueViolation, selectGivenRows, withoutIndex } from './engine-differences.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('every handle knows its engine, including a transaction', async () => {
  const { db } = app
  const expected = testEngine === 'postgres'
  const inTransaction = await db.write(async ({ db: trx }) => isPostgres(trx))
  expect([isPostgres(db.read), isPostgres(db.reports), inTransaction]).toEqual([expected, expected, expected])
})

test('rows passed as parameters come back unchanged, numbers as numbers and text as text', async () => {
  const rows = [
    [1, "it's", 4_000_000_000],
    [2, '"quoted" \\ 🗝 $[0]', -1],
  ] as const
  for (const db of [app.db.read, app.db.reports]) {
    const given = selectGivenRows(db, { number: 'bigint', name: 'text', big: 'bigint' }, rows)
    const { rows: found } = await sql<object>`with given as (${given}) select * from given order by number`.execute(db)
    expect(found).toEqual(rows.map(([number, name, big]) => ({ number, name, big })))
    const none = selectGivenRows(db, { number: 'bigint' }, [])
    expect((await sql`select * from (${none}) as given`.execute(db)).rows).toEqual([])
  }
})

test('half a character in a row passed as a parameter becomes U+FFFD, as in any other parameter', async () => {
  const { db } = app
  const half = 'a\ud83db'
  const given = selectGivenRows(db.read, { name: 'text' }, [[half]])
  const { rows } = await sql`select given.name, cast(${half} as text) as parameter from (${given}) as given`.execute(
    db.read,
  )
  expect(rows).toEqual([{ name: 'a\ufffdb', parameter: 'a\ufffdb' }])
})

test('only a duplicate value is a unique violation, in a primary key and in another index', async () => {
  const insert = (token: string, expiresAt: number | null) =>
    app.db.write(async ({ db: trx }) => {
      await trx
        .insertInto('setup_tokens')
        .values({ token_hash: token, expires_at: expiresAt as number })
        .execute()
    })
  const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)
  await insert('once', 1)
  expect(isUniqueViolation(await failure(insert('once', 2)))).toBe(true)
  const withoutValue = await failure(insert('another', null))
  expect(withoutValue).toBeInstanceOf(Error)
  expect(isUniqueViolation(withoutValue)).toBe(false)
  expect(isUniqueViolation(await failure(sql`select * from no_such_table`.execute(app.db.read)))).toBe(false)
  expect([undefined, null, 'text', new Error('closed')].map(isUniqueViolation)).toEqual(Array(4).fill(false))
})

test('a condition without an index finds the same rows', async () => {
  await app.db.write(({ db: trx }) =>
    trx.insertInto('setup_tokens').values({ token_hash: 'found', expires_at: 9 }).execute(),
  )
  const { db } = app
  const rows = await db.read
    .selectFrom('setup_tokens')
    .select('token_hash')
    .where(withoutIndex<string>(db.read, 'setup_tokens.token_hash'), '=', 'found')
    .execute()
  expect(rows).toEqual([{ token_hash: 'found' }])
})
