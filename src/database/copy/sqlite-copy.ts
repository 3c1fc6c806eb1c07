import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import type { StatementSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import type { Reader } from '../database.ts'
import { doneInSqlite, migrateSqlite } from '../migrate.ts'
import { migrations } from '../migrations/list.ts'
import type { Schema } from '../schema.ts'
import { rejectMoved } from '../sqlite/moved-database.ts'
import { rejectSetAside } from '../sqlite/set-aside.ts'
import { SqliteConnection, sqliteDialect } from '../sqlite/sqlite-connection.ts'
import { missingDatabase } from '../unusable.ts'
import {
  charactersOf,
  charactersPerBatch,
  columnList,
  type IssuedNumbers,
  ownTables,
  parentsFirst,
  quoted,
  type Row,
  rowsPerBatch,
  type Snapshot,
  type TableShape,
  type Target,
  type Value,
  versionOf,
} from './table-copy.ts'

export interface SqliteSnapshot extends Snapshot {
  /** The rows after a given one in insertion order, with the number of the last one, to resume from. */
  rowsAfter(table: TableShape, rowid: number): AsyncIterable<{ rows: Row[]; last: number }>
}

/** Reads a file while a server may be writing to it: readers and writers do not block each other. */
export function openSqliteSnapshot(file: string): SqliteSnapshot {
  if (!existsSync(file)) throw missingDatabase(file)
  rejectSetAside(file)
  const connection = new SqliteConnection(file)
  try {
    connection.database.exec('pragma query_only = on; begin')
    rejectMoved(connection)
    return {
      ...versionOf(doneInSqlite(connection)),
      tables: tablesOf(connection),
      issued: issuedOf(connection),
      reader: readerOf(connection),
      rows: (table) => rowsOf(connection, table),
      rowsAfter: (table, rowid) => rowsAfter(connection, table, rowid),
      damages: async () => damagesOf(connection),
      close: async () => connection.close(),
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

/** A new file with the tables as of the migration with this number. */
export function newSqliteTarget(file: string, migration: number): Target {
  const connection = new SqliteConnection(file, { durable: false })
  const { database } = connection
  // The file is deleted on failure.
  database.exec('pragma journal_mode = memory')
  migrateSqlite(connection, migrations.slice(0, migration))
  const tables = tablesOf(connection)
  const triggers = connection.run(`select name, sql from sqlite_schema where type = 'trigger'`, []).rows
  database.exec('pragma foreign_keys = off; begin')
  // The effects of the triggers are already in the copied rows.
  for (const { name } of triggers) connection.run(`drop trigger ${quoted(String(name))}`, [])
  for (const { name } of tables) connection.run(`delete from ${quoted(name)}`, [])
  return {
    tables,
    reader: readerOf(connection),
    rows: (table) => rowsOf(connection, table),
    async insert(table, rows) {
      const places = table.columns.map(() => '?').join(', ')
      const statement = `insert into ${quoted(table.name)} (${columnList(table)}) values (${places})`
      for (const row of rows) connection.run(statement, row)
    },
    async setIssued(issued) {
      const known = new Set(tables.map(({ name }) => name))
      for (const [name, last] of Object.entries(issued)) {
        if (!known.has(name)) continue
        connection.run('delete from sqlite_sequence where name = ?', [name])
        connection.run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, last])
      }
    },
    async migrate() {
      for (const { sql } of triggers) connection.run(String(sql), [])
      database.exec('commit; pragma foreign_keys = on')
      migrateSqlite(connection)
      const damages = damagesOf(connection)
      if (damages.length > 0) throw new Error(`The restored database is damaged: ${damages.join('; ')}`)
    },
    async finish() {
      connection.close()
      syncFile(file)
    },
    async abort() {
      connection.close()
      for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true })
    },
  }
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

const readerOf = (connection: SqliteConnection): Reader => new Kysely<Schema>({ dialect: sqliteDialect(connection) })

function tablesOf(connection: SqliteConnection): TableShape[] {
  const names = connection
    .run(`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`, [])
    .rows.map(({ name }) => String(name))
    .filter((name) => !ownTables.has(name))
  const shapes = names.toSorted().map((name) => {
    const columns = connection.run('select name from pragma_table_xinfo(?) where hidden = 0', [name]).rows
    return { name, columns: columns.map((column) => String(column['name'])).toSorted() }
  })
  const parents = names.map((name): [string, string[]] => {
    const { rows } = connection.run('select distinct "table" as parent from pragma_foreign_key_list(?)', [name])
    return [name, rows.map(({ parent }) => String(parent))]
  })
  return parentsFirst(shapes, new Map(parents))
}

async function* rowsOf(connection: SqliteConnection, table: TableShape): AsyncGenerator<Row[]> {
  for await (const { rows } of rowsAfter(connection, table, -1)) yield rows
}

async function* rowsAfter(connection: SqliteConnection, table: TableShape, from: number) {
  const next = `select rowid as "rowid", ${columnList(table)} from ${quoted(table.name)}
    where rowid > ? order by rowid limit ${rowsPerBatch}`
  const statement = connection.database.prepare(next)
  statement.setReturnArrays(true)
  for (let last = from; ;) {
    const { rows, isEnd } = nextBatch(statement, last)
    last = Number(rows.at(-1)?.[0] ?? last)
    if (rows.length > 0) yield { rows: rows.map(([, ...row]): Row => row), last }
    if (isEnd) return
    // Lets other work on this thread run.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function nextBatch(statement: StatementSync, after: number) {
  const rows: Value[][] = []
  let length = 0
  for (const each of statement.iterate(after)) {
    const row = each as unknown as Value[]
    rows.push(row)
    length += charactersOf(row)
    if (length >= charactersPerBatch) return { rows, isEnd: false }
  }
  return { rows, isEnd: rows.length < rowsPerBatch }
}

function issuedOf(connection: SqliteConnection): IssuedNumbers {
  const { rows } = connection.run('select name, seq from sqlite_sequence', [])
  return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]))
}

function damagesOf(connection: SqliteConnection): string[] {
  const found = connection.run('pragma integrity_check', []).rows.map((row) => String(row['integrity_check']))
  const orphans = connection.run('pragma foreign_key_check', []).rows
  return [
    ...found.filter((line) => line !== 'ok'),
    ...orphans.map(({ table, parent }) => `a row of ${String(table)} refers to no row of ${String(parent)}`),
  ]
}
