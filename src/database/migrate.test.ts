import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { migratePostgres, migrateSqlite } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/list.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { SqliteConnection } from './sqlite/sqlite-connection.ts'
import { DatabaseUnusable } from './unusable.ts'

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

test('license counts of resellers follow licenses that are added and deleted', async () => {
  await subject.migrate(migrations)
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
  const handles = await Promise.all([1, 2, 3, 4].map(() => openPostgres({ url: place, connections: { calls: 2 } })))
  expect(await done()).toEqual(migrations.map(({ name }, index) => [index + 1, name]))
  await Promise.all(handles.map((handle) => handle.close()))
})

interface Column {
  table: string
  name: string
  type: string
  /** Whether a row can be inserted without naming it. */
  optional: boolean
}

async function columns(): Promise<Map<string, Column>> {
  const rows = await subject.query(
    testEngine === 'postgres'
      ? `select table_name as "table", column_name as name, data_type as type,
           (is_nullable = 'YES' or column_default is not null or is_identity = 'YES') as optional
         from information_schema.columns where table_schema = 'public'`
      : `select tables.name as "table", columns.name as name, columns.type as type,
           (columns."notnull" = 0 or columns.dflt_value is not null or columns.pk > 0) as optional
         from sqlite_master tables join pragma_table_info(tables.name) columns where tables.type = 'table'`,
  )
  return new Map(
    (rows as unknown as Column[]).map((row) => [
      `${row.table}.${row.name}`,
      { ...row, optional: Boolean(row.optional) },
    ]),
  )
}

/** What a process of the version before finds missing or can't insert without, after the migration of this number. */
async function breaksOlderProcesses(list: readonly Migration[], number: number): Promise<string[]> {
  await subject.migrate(list.slice(0, number - 1))
  const before = await columns()
  await subject.migrate(list.slice(0, number))
  const after = await columns()
  const tables = new Set([...before.values()].map(({ table }) => table))
  const gone = [...before].filter(([key, { type }]) => after.get(key)?.type !== type).map(([key]) => key)
  const demanded = [...after].filter(([key, { table, optional }]) => !optional && tables.has(table) && !before.has(key))
  return [...gone, ...demanded.map(([key]) => key)]
}

interface Index {
  name: string
  definition: string
}

async function indexes(): Promise<Index[]> {
  const rows = await subject.query(
    testEngine === 'postgres'
      ? "select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public'"
      : "select name, sql as definition from sqlite_master where type = 'index' and sql is not null",
  )
  return rows as unknown as Index[]
}

/** The table with the kind of index, its columns, and the condition of a partial index. */
function partsOf({ definition }: Index): [table: string, columns: string, condition: string] {
  const text = definition.replaceAll(/\s+/g, ' ').replace(' USING btree', '').toLowerCase()
  const [, table = '', columns = '', condition = ''] =
    /^create (?:unique )?index \S+ on (?:public\.)?(\w+) ?\((.*?)\)( where .*)?$/.exec(text) ?? []
  return [text.startsWith('create unique') ? `unique ${table}` : table, columns, condition]
}

/** Indexes that are gone after the migration of this number, without one that begins like them. */
async function lostIndexes(list: readonly Migration[], number: number): Promise<string[]> {
  await subject.migrate(list.slice(0, number - 1))
  const before = await indexes()
  await subject.migrate(list.slice(0, number))
  const after = (await indexes()).map(partsOf)
  const isReplaced = (index: Index) => {
    const [table, columns, condition] = partsOf(index)
    return after.some(
      ([other, own, where]) =>
        other === table && where === condition && (own === columns || own.startsWith(`${columns}, `)),
    )
  }
  return before.filter((index) => !isReplaced(index)).map(({ name }) => name)
}

/** From this one on, a process of the version before goes on beside one that has migrated. */
const firstExpandingMigration = 2

test('a migration removes nothing that a process of the previous version uses, and requires nothing new of it', async () => {
  for (let number = firstExpandingMigration; number <= migrations.length; number++) {
    expect([number, await breaksOlderProcesses(migrations, number)]).toEqual([number, []])
  }
})

/** No query has used it since the version before. */
const unusedIndexes = ['client_sessions_live']

test('an index is only dropped for one that begins with its columns, which serves the previous version as well', async () => {
  for (let number = firstExpandingMigration; number <= migrations.length; number++) {
    const lost = await lostIndexes(migrations, number)
    expect([number, lost.filter((name) => !unusedIndexes.includes(name))]).toEqual([number, []])
  }
})

test('detects a migration that drops an index, or its condition', async () => {
  const table = step('table', 'create table named (id integer primary key, name text, at integer);')
  const index = step('index', 'create index named_at on named (at) where name is not null;')
  const longer = step(
    'longer',
    'create index named_more on named (at, name) where name is not null; drop index named_at;',
  )
  const whole = step('whole', 'create index named_all on named (at, name); drop index named_more;')
  const list = [first, table, index, longer, whole]
  expect(await lostIndexes(list, 4)).toEqual([])
  expect(await lostIndexes(list, 5)).toEqual(['named_more'])
})

test('detects a migration that renames a column or drops a table', async () => {
  const named = step('named', 'create table named (id integer primary key, name text not null);')
  const renamed = step('renamed', 'alter table named rename column name to title;')
  const dropped = step('dropped', 'drop table one;')
  const list = [first, named, renamed, dropped]
  expect(await breaksOlderProcesses(list, 2)).toEqual([])
  expect(await breaksOlderProcesses(list, 3)).toEqual(['named.name', 'named.title'])
  expect(await breaksOlderProcesses(list, 4)).toEqual(['one.id'])
})
