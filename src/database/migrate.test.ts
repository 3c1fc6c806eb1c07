import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MigratedDatabase, unmigratedDatabase } from '#testing/servers/unmigrated-database.ts'
import { testEngine } from '#testing/start-test-app.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/list.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { DatabaseUnusable } from './unusable.ts'

const run = promisify(execFile)
const step = (name: string, sql: string): Migration => ({ name, sql: () => sql })
const first = step('first', 'create table one (id integer primary key); insert into one values (1);')
const second = step('second', 'create table two (id integer primary key);')
const broken = step(
  'broken',
  'create table three (id integer primary key); insert into one values (2); create table nonsense (',
)

let subject: MigratedDatabase

beforeEach(async () => {
  subject = await unmigratedDatabase()
})
afterEach(() => subject.close())

const done = async () =>
  (await subject.query('select number, name from migrations order by number')).map(({ number, name }) => [number, name])

describe('migrating', () => {
  test.runIf(testEngine === 'sqlite')('a full disk is reported as such', async () => {
    await subject.migrate([first])
    await subject.query('pragma max_page_count = 5')
    const large = step('large', 'create table large (bytes blob); insert into large values (zeroblob(100000));')
    await expect(subject.migrate([first, large])).rejects.toThrow('database or disk is full')
    expect(await done()).toEqual([[1, 'first']])
  })

  test('runs new migrations in order, and each only once', async () => {
    await subject.migrate([first])
    await subject.migrate([first, second])
    await subject.migrate([first, second])
    expect(await done()).toEqual([
      [1, 'first'],
      [2, 'second'],
    ])
    expect(await subject.query('select id from one')).toEqual([{ id: 1 }])
  })

  test('a failed migration leaves no changes, not even those of earlier migrations in the same start', async () => {
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

  test('rejects a database of a newer version and leaves it unchanged', async () => {
    await subject.migrate([first, second])
    await expect(subject.migrate([first])).rejects.toThrow(
      'The database is from a newer version (migration 2); this version knows 1',
    )
    expect(await done()).toHaveLength(2)
  })

  test('the real migrations build every table from scratch', async () => {
    await subject.migrate(migrations)
    expect(await done()).toEqual(migrations.map(({ name }, index) => [index + 1, name]))
    for (const table of ['accounts', 'apps', 'licenses', 'license_counts', 'users', 'client_sessions', 'audit']) {
      expect(await subject.query(`select * from ${table}`)).toEqual([])
    }
  })
})

describe('a database of the pre-release chain', () => {
  const last = { number: 46, name: 'the owner of a lane of jobs' }
  const release = migrations.slice(0, 1)

  /** The tables of the first release with the rows of `migrations` that the pre-release chain left. */
  async function plant(newest: { number: number; name: string }): Promise<[number, string][]> {
    await subject.migrate(release)
    await subject.query('delete from migrations')
    const rows = Array.from({ length: newest.number }, (_, index): [number, string] => [index + 1, `step ${index + 1}`])
    rows[0] = [1, 'accounts']
    rows[newest.number - 1] = [newest.number, newest.name]
    await subject.query(`insert into migrations values ${rows.map(([n, name]) => `(${n}, '${name}')`).join(', ')}`)
    await subject.query(`insert into setup_tokens values ('kept', 5)`)
    return rows
  }
  const tokens = () => subject.query('select token_hash from setup_tokens')

  test('counts as a database of the first release, keeps its rows, and is migrated from there', async () => {
    await plant(last)
    const upgraded = [...release, second]
    await subject.migrate(upgraded)
    await subject.migrate(upgraded)
    expect(await done()).toEqual([
      [1, 'first release'],
      [2, 'second'],
    ])
    expect(await tokens()).toEqual([{ token_hash: 'kept' }])
    expect(await subject.query('select * from two')).toEqual([])
  })

  test('stays in that chain when a later migration fails', async () => {
    const rows = await plant(last)
    await expect(subject.migrate([...release, broken])).rejects.toThrow(
      /incomplete input|syntax error|no such table|not exist/,
    )
    expect(await done()).toEqual(rows)
  })

  test.each([
    [
      45,
      'nonces that survive a crash of PostgreSQL',
      'Start it once with the last pre-release version (commit 4ed3d68)',
    ],
    [1, 'accounts', 'of an old pre-release version (migration 1). Start it once with'],
    [46, 'another', 'of a development version after the last pre-release version'],
    [47, 'later', 'Restore a backup from before it'],
  ])('that ends with %i, %s, is rejected and stays unchanged', async (number, name, text) => {
    const rows = await plant({ number, name })
    const migrating = subject.migrate([...release, second])
    await expect(migrating).rejects.toThrow(DatabaseUnusable)
    await expect(migrating).rejects.toThrow(text)
    expect(await done()).toEqual(rows)
    await expect(subject.query('select * from two')).rejects.toThrow(/no such table|does not exist/)
  })

  test.runIf(testEngine === 'postgres')('gets the names of constraints that the first release gives', async () => {
    await plant(last)
    const names = async () => {
      const text = `select conname as name from pg_constraint where conrelid = 'licenses'::regclass order by 1`
      return (await subject.query(text)).map(({ name }) => name)
    }
    const before = await names()
    await subject.query(
      'alter table licenses rename constraint licenses_duration_seconds_check to licenses_expiry_check',
    )
    await subject.migrate(release)
    expect(before).toContain('licenses_duration_seconds_check')
    expect(await names()).toEqual(before)
  })
})

/** An app of an owner, whose ID is `a`, in the tables of these migrations. */
async function appAfter(list: readonly Migration[]) {
  await subject.migrate(list)
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
  return insert
}

test('licenses and users of before are counted by blocks of IDs', async () => {
  const byBlock = migrations.findIndex(({ name }) => name === 'counts by blocks of IDs')
  const insert = await appAfter(migrations.slice(0, byBlock))
  const license = (id: number, more: object = {}) =>
    insert('licenses', { id, app_id: 'a', license: `key ${id}`, level: 1, duration_seconds: 1, created_at: 1, ...more })
  const user = (id: number, more: object = {}) =>
    insert('users', { id, app_id: 'a', username: `u${id}`, username_key: `u${id}`, created_at: 1, ...more })
  for (const id of [1, 17, 131_071, 131_072, 400_000]) await license(id)
  await license(131_080, { banned: 1 })
  await user(2)
  await user(270_000, { paused: 1 })
  await subject.migrate(migrations)
  await license(131_088)
  await subject.query('update licenses set banned = 1 where id in (17, 131072)')
  await subject.query('delete from licenses where id = 400000')
  await user(262_144)
  await subject.query('delete from users where id = 2')
  const counts = async (table: string) => {
    const rows = await subject.query(
      `select stripe, state, count from ${table} where app_id = 'a' and count <> 0 order by 1, 2`,
    )
    return rows.map(({ stripe, state, count }) => [stripe, state, count].map(Number))
  }
  expect(await counts('license_counts')).toEqual([
    [1, 0, 1],
    [1, 2, 1],
    [15, 0, 1],
    [16, 0, 1],
    [16, 2, 1],
    [24, 2, 1],
  ])
  expect(await counts('user_counts')).toEqual([
    [32, 0, 1],
    [32 + (270_000 % 16), 1, 1],
  ])
})

test('license counts of resellers follow licenses that are added and deleted', async () => {
  const insert = await appAfter(migrations)
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
  const target = `${subject.place}-together`
  const start = () => run(process.execPath, ['--input-type=module', '-e', script, target])
  const outcomes = await Promise.all([start(), start(), start(), start()])
  expect(outcomes.map(({ stdout }) => Number(stdout))).toEqual([1, 1, 1, 1].map(() => migrations.length))
})

test.runIf(testEngine === 'postgres')('a deadlock with a process of the previous version is tried again', async () => {
  await subject.migrate([first, second])
  const writer = new pg.Client({ connectionString: subject.place })
  await writer.connect()
  // The one that notices the deadlock gives up: the migration, after a second.
  await writer.query("set deadlock_timeout = '60s'; begin; insert into two values (1)")
  const locks = step(
    'locks',
    'lock table one in share row exclusive mode; lock table two in share row exclusive mode; delete from two;',
  )
  const migrating = subject.migrate([first, second, locks])
  const waiting = `select 1 from pg_locks where not granted and relation = 'two'::regclass`
  while ((await subject.query(waiting)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await writer.query('insert into one values (2); commit')
  await migrating
  await writer.end()
  expect(await done()).toHaveLength(3)
  expect(await subject.query('select * from two')).toEqual([])
  expect(await subject.query('select id from one order by id')).toEqual([{ id: 1 }, { id: 2 }])
})

test.runIf(testEngine === 'postgres')('four servers that start together migrate once', async () => {
  const handles = await Promise.all(
    [1, 2, 3, 4].map(() => openPostgres({ url: subject.place, connections: { calls: 2 } })),
  )
  expect(await done()).toEqual(migrations.map(({ name }, index) => [index + 1, name]))
  await Promise.all(handles.map((handle) => handle.close()))
})
