import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteConnection } from './sqlite-connection.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-sqlite-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const full = 2
const off = 0

test('a connection waits for the disk at each commit, unless it is opened without that', () => {
  const synchronousOf = (durable: boolean) => {
    const connection = new SqliteConnection(join(dataDir, 'plain.db'), { durable })
    const [row] = connection.run('pragma synchronous', []).rows
    const [mode] = connection.run('pragma journal_mode', []).rows
    connection.close()
    return { ...row, ...mode }
  }
  expect(synchronousOf(true)).toEqual({ synchronous: full, journal_mode: 'wal' })
  expect(synchronousOf(false)).toEqual({ synchronous: off, journal_mode: 'wal' })
})

describe('rows', () => {
  let connection: SqliteConnection
  const all = () => connection.run('select * from shelves', []).rows

  beforeEach(() => {
    connection = new SqliteConnection(':memory:')
    connection.run('create table shelves (id integer primary key, name text)', [])
    connection.run('insert into shelves values (1, ?)', ['left'])
  })
  afterEach(() => connection.close())

  test('are objects of which V8 knows the properties, not dictionaries', () => {
    setFlagsFromString('--allow-natives-syntax')
    const isFast = runInThisContext('(row) => %HasFastProperties(row)') as (row: object) => boolean
    try {
      expect(isFast(Object.assign(Object.create(null) as object, { id: 1 }))).toBe(false)
      expect(all().map(isFast)).toEqual([true])
    } finally {
      setFlagsFromString('--no-allow-natives-syntax')
    }
  })

  test('have the columns that the table has now, however often they were read before', () => {
    expect(all()).toEqual([{ id: 1, name: 'left' }])
    connection.run('alter table shelves add column height integer', [])
    expect(all()).toEqual([{ id: 1, name: 'left', height: null }])
    connection.run('alter table shelves rename column name to title', [])
    expect(all()).toEqual([{ id: 1, title: 'left', height: null }])
  })

  test('have a column that another connection has added', () => {
    const file = join(dataDir, 'shared.db')
    const other = new SqliteConnection(file)
    other.run('create table shelves (id integer primary key)', [])
    other.run('insert into shelves values (1)', [])
    const reader = new SqliteConnection(file, { readOnly: true })
    expect(reader.run('select * from shelves', []).rows).toEqual([{ id: 1 }])
    other.run("alter table shelves add column name text default 'left'", [])
    expect(reader.run('select * from shelves', []).rows).toEqual([{ id: 1, name: 'left' }])
    reader.close()
    other.close()
  })
})
