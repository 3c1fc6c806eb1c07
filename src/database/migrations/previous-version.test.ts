import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MigratedDatabase, unmigratedDatabase } from '#testing/servers/unmigrated-database.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { migrations } from './list.ts'
import type { Migration } from './migration.ts'

/** During an upgrade, processes of the previous version go on beside one that has migrated. */

const step = (name: string, sql: string): Migration => ({ name, sql: () => sql })

const first = step('first', 'create table one (id integer primary key); insert into one values (1);')

let subject: MigratedDatabase

beforeEach(async () => {
  subject = await unmigratedDatabase()
})
afterEach(() => subject.close())

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
