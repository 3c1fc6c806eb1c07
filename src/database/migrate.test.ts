import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgresUrl } from '#testing/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { type Migration, migratePostgres, migrateSqlite } from './migrate.ts'
import { migrations } from './migrations/list.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { SqliteConnection } from './sqlite/sqlite-connection.ts'

const run = promisify(execFile)
const step = (name: string, sql: string): Migration => ({ name, sql: () => sql })
const first = step('first', 'create table one (id integer primary key); insert into one values (1);')
const second = step('second', 'create table two (id integer primary key);')
const broken = step(
  'broken',
  'create table three (id integer primary key); insert into one values (2); create table nonsense (',
)

/** A database with its migrations, whichever engine. */
interface Subject {
  migrate(list: readonly Migration[]): Promise<void>
  query(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

let subject: Subject
let place: string

beforeEach(async () => {
  subject = testEngine === 'postgres' ? await onPostgres() : onSqlite()
})
afterEach(() => subject.close())

function onSqlite(): Subject {
  const folder = mkdtempSync(join(tmpdir(), 'signet-migrate-'))
  place = join(folder, 'test.db')
  const connection = new SqliteConnection(place, { durable: false })
  return {
    migrate: async (list) => migrateSqlite(connection, list),
    query: async (sql) => connection.run(sql, []).rows,
    async close() {
      connection.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function onPostgres(): Promise<Subject> {
  place = await freshPostgresUrl()
  const pool = new pg.Pool({ connectionString: place, max: 4 })
  return {
    migrate: (list) => migratePostgres(pool, list),
    query: async (sql) => (await pool.query(sql)).rows as Record<string, unknown>[],
    close: () => pool.end(),
  }
}

const done = async () =>
  (await subject.query('select number, name from migrations order by number')).map(({ number, name }) => [number, name])

describe('migrating', () => {
  test('does what is new, in order, and what is done never again', async () => {
    await subject.migrate([first])
    await subject.migrate([first, second])
    await subject.migrate([first, second])
    expect(await done()).toEqual([
      [1, 'first'],
      [2, 'second'],
    ])
    expect(await subject.query('select id from one')).toEqual([{ id: 1 }])
  })

  test('a migration that fails leaves nothing, not even of those before it in the same start', async () => {
    await subject.migrate([first])
    await expect(subject.migrate([first, second, broken])).rejects.toThrow(/incomplete input|syntax error/)
    expect(await done()).toEqual([[1, 'first']])
    expect(await subject.query('select id from one')).toEqual([{ id: 1 }])
    for (const table of ['two', 'three'])
      await expect(subject.query(`select * from ${table}`)).rejects.toThrow(/no such table|does not exist/)
    await subject.migrate([first, second])
    expect(await done()).toEqual([
      [1, 'first'],
      [2, 'second'],
    ])
  })

  test('a database of a newer version is refused and left as it is', async () => {
    await subject.migrate([first, second])
    await expect(subject.migrate([first])).rejects.toThrow(
      'The database is of a newer version (migration 2); this one knows 1',
    )
    expect(await done()).toHaveLength(2)
  })

  test('the real ones build every table from nothing', async () => {
    await subject.migrate(migrations)
    expect(await done()).toEqual(migrations.map(({ name }, index) => [index + 1, name]))
    for (const table of ['accounts', 'apps', 'licenses', 'license_counts', 'users', 'client_sessions', 'audit']) {
      expect(await subject.query(`select * from ${table}`)).toEqual([])
    }
  })
})

test('counts of resellers are filled from the licenses that are there, and triggers go on from them', async () => {
  await subject.migrate(
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === 'counts of resellers'),
    ),
  )
  const insert = async (table: string, row: Record<string, string | number | null>) => {
    const value = (each: string | number | null) => (typeof each === 'string' ? `'${each}'` : String(each))
    const values = Object.values(row).map(value).join(', ')
    await subject.query(`insert into ${table} (${Object.keys(row).join(', ')}) values (${values})`)
  }
  const names = { username: 'o', username_key: 'o', email: 'o', email_key: 'o', display_name: 'o', password_hash: '' }
  await insert('accounts', { id: 'owner', ...names, created_at: 1 })
  const keys = { root_public_key: '', root_private_sealed: '', box_public_key: '', box_private_sealed: '' }
  const called = { name: 'App', name_key: 'app', version: '1', hwid_pepper_sealed: '' }
  await insert('apps', { id: 'a', owner_id: 'owner', ...called, ...keys, created_at: 1 })
  const user = { app_id: 'a', username: 'u', username_key: 'u', created_at: 1 }
  await insert('users', { id: 7, ...user })
  const license = async (key: string, reseller: string | null, userId: number | null, banned = 0) =>
    insert('licenses', {
      app_id: 'a',
      license: key,
      level: 1,
      duration_seconds: 1,
      created_at: 1,
      reseller_id: reseller,
      banned,
      ...(userId !== null && { used: 1, used_by: 'u', used_by_user_id: userId }),
    })
  await license('unused', 'r', null)
  await license('unused and banned', 'r', null, 1)
  await license('used', 'r', 7)
  await license('used again', 'r', 7)
  await license('of a user who is gone', 'r', 8)
  await license('of another', 's', 7, 1)
  await license('of the owner', null, 7)
  await subject.migrate(migrations)
  const counts = async () => {
    const rows = await subject.query(
      'select reseller_id, counted, sum(count) as n from reseller_counts group by 1, 2 having sum(count) <> 0 order by 1, 2',
    )
    return rows.map(({ reseller_id, counted, n }) => `${String(reseller_id)}${String(counted)}: ${String(n)}`)
  }
  expect(await counts()).toEqual(['r0: 1', 'r1: 3', 'r2: 1', 'r4: 1', 's3: 1', 's4: 1'])
  await subject.query(`delete from licenses where license in ('used', 'unused')`)
  expect(await counts()).toEqual(['r1: 2', 'r2: 1', 'r4: 1', 's3: 1', 's4: 1'])
  await subject.query(`delete from licenses where license = 'used again'`)
  expect(await counts()).toEqual(['r1: 1', 'r2: 1', 's3: 1', 's4: 1'])
})

test.runIf(testEngine === 'sqlite')('four processes that start together migrate once', async () => {
  const of = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href)
  const script = `
    const { SqliteConnection } = await import(${of('sqlite/sqlite-connection.ts')})
    const { migrateSqlite } = await import(${of('migrate.ts')})
    const connection = new SqliteConnection(process.argv[1], { durable: false })
    migrateSqlite(connection)
    console.log(connection.run('select count(*) as n from migrations', []).rows[0].n)
  `
  const target = `${place}-together`
  const start = () => run(process.execPath, ['--input-type=module', '-e', script, target])
  const outcomes = await Promise.all([start(), start(), start(), start()])
  expect(outcomes.map(({ stdout }) => Number(stdout))).toEqual([1, 1, 1, 1].map(() => migrations.length))
})

test.runIf(testEngine === 'postgres')('four servers that start together migrate once', async () => {
  const handles = await Promise.all([1, 2, 3, 4].map(() => openPostgres({ url: place, connections: 2 })))
  expect(await done()).toEqual(migrations.map(({ name }, index) => [index + 1, name]))
  await Promise.all(handles.map((handle) => handle.close()))
})
