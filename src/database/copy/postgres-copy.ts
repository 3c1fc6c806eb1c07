import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import type { Reader } from '../database.ts'
import { doneInPostgres, migrateInTransaction } from '../migrate.ts'
import { migrations } from '../migrations/list.ts'
import type { Migration } from '../migrations/migration.ts'
import { DatabaseServers } from '../postgres/database-servers.ts'
import { numberParsers } from '../postgres/server-pool.ts'
import { claimExclusively, releaseClaim } from '../postgres/processes.ts'
import { connectToServer, rejectSharedSessions } from '../postgres/server-client.ts'
import { rejectRunningServers, type HeartbeatWait } from '../postgres/server-heartbeats.ts'
import type { Schema } from '../schema.ts'
import { explainPostgres } from '../unusable.ts'
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
  versionOf,
} from './table-copy.ts'

/** Reads a database while servers may be writing to it. */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = await connect(url)
  try {
    await client.query('begin isolation level repeatable read, read only')
    return {
      ...versionOf(await doneInPostgres(client)),
      tables: await tablesOf(client),
      issued: await issuedOf(client),
      reader: readerOf(client),
      rows: (table) => rowsOf(client, table),
      // PostgreSQL verifies page checksums itself; an unreadable page fails the copy.
      damages: async () => [],
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** The target database contains data that would be lost. */
export class TargetNotEmpty extends OperatorError {}

/** It isn't known whether the target has its new content. */
export class CommitUnanswered extends OperatorError {}

/**
 * Fills a database in one transaction, replacing its content if `replaces` is set. Throws `DatabaseHasServers` if a
 * server uses it, and `TargetNotEmpty`. `migration` is the migration number of the rows to come.
 */
export async function newPostgresTarget(
  url: string,
  { migration, replaces, wait }: { migration: number; replaces: boolean; wait?: HeartbeatWait | undefined },
): Promise<Target> {
  const client = await connect(url)
  try {
    await claimExclusively(client)
    await rejectRunningServers(client, wait)
    await client.query('begin')
    const before = await tableNames(client)
    if (before.length > 0 && !replaces) throw new TargetNotEmpty('The PostgreSQL database is not empty')
    if (before.length > 0 && !before.includes('migrations')) {
      throw new TargetNotEmpty("What is in the PostgreSQL database isn't Signet's")
    }
    const tables = await emptyTables(client, before, migrations.slice(0, migration))
    return {
      tables,
      reader: readerOf(client),
      rows: (table) => rowsOf(client, table),
      insert: (table, rows) => insertRows(client, table, rows),
      setIssued: (issued) => setIssued(client, tables, issued),
      async migrate() {
        await setTriggers(client, tables, 'enable')
        await migrateInTransaction(client)
      },
      async finish() {
        await commit(client)
        await analyze(client)
        await endExclusiveConnection(client)
      },
      abort: () => endExclusiveConnection(client),
    }
  } catch (error) {
    await endExclusiveConnection(client)
    throw error
  }
}

/** Only PostgreSQL's own error says that a commit failed: without an answer, it may have succeeded. */
async function commit(client: pg.Client): Promise<void> {
  await client.query('commit').catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.severity === 'ERROR') throw error
    throw new CommitUnanswered(
      "PostgreSQL did not answer the commit. The database has either its previous data or the backup's: run the restore again.",
      { cause: error },
    )
  })
}

/** Statistics for the planner. PostgreSQL gathers them itself a little later, so a failure takes nothing from the copy. */
export async function analyze(client: pg.Client): Promise<void> {
  await client.query('analyze').catch(() => {})
}

/**
 * Closes a connection with exclusive access explicitly, so that the next user need not wait for PostgreSQL to notice.
 */
export async function endExclusiveConnection(client: pg.Client): Promise<void> {
  await client.query('rollback').catch(() => {})
  await releaseClaim(client).catch(() => {})
  await client.end()
}

export async function connect(url: string): Promise<pg.Client> {
  const servers = new DatabaseServers(url)
  const client = await connectToServer({ servers, purpose: 'copy', types: numberParsers }).catch((error: unknown) => {
    throw explainPostgres(error, servers)
  })
  try {
    await rejectSharedSessions(client, { servers, purpose: 'copy' })
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}

/** Only for the transaction on this connection. */
export function readerOf(client: pg.Client): Reader {
  const query = (sql: string, parameters: unknown[]) => client.query(sql, parameters)
  const connection = { query, release() {} } as unknown as PostgresPoolClient
  const pool = { connect: async () => connection, end: async () => {} } as unknown as PostgresPool
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

export async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  return rows.map(({ name }) => name).toSorted()
}

export async function tablesOf(client: pg.Client): Promise<TableShape[]> {
  const names = (await tableNames(client)).filter((name) => !ownTables.has(name))
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = current_schema() and is_generated = 'NEVER'`,
  )
  const { rows: references } = await client.query<{ child: string; parent: string }>(
    `select child.relname as child, parent.relname as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
      where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  const shapes = names.map((name) => ({
    name,
    columns: columns
      .filter(({ table }) => table === name)
      .map(({ column }) => column)
      .toSorted(),
  }))
  const parentsOf = new Map(
    names.map((name) => [name, references.filter(({ child }) => child === name).map(({ parent }) => parent)]),
  )
  return parentsFirst(shapes, parentsOf)
}

/** How long the rows are is known after it. */
const rowsOfFirstBatch = 20

export async function* rowsOf(client: pg.Client, table: TableShape): AsyncGenerator<Row[]> {
  await client.query(`declare copied no scroll cursor for select ${columnList(table)} from ${quoted(table.name)}`)
  try {
    let longest = 1
    for (let wanted = rowsOfFirstBatch; ;) {
      const { rows } = await client.query<Row[number][]>({ text: `fetch ${wanted} from copied`, rowMode: 'array' })
      yield* batchesOf(rows)
      if (rows.length < wanted) return
      for (const row of rows) longest = Math.max(longest, charactersOf(row))
      wanted = Math.max(1, Math.min(rowsPerBatch, Math.floor(charactersPerBatch / longest)))
    }
  } finally {
    await client.query('close copied')
  }
}

/** Rows may be longer than those before them. */
function* batchesOf(rows: readonly Row[]): Generator<Row[]> {
  let batch: Row[] = []
  let length = 0
  for (const row of rows) {
    batch.push(row)
    length += charactersOf(row)
    if (length < charactersPerBatch) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

export async function insertRows(client: pg.Client, table: TableShape, rows: readonly Row[]): Promise<void> {
  const objects = rows.map((row) => Object.fromEntries(table.columns.map((column, n) => [column, row[n]])))
  const columns = columnList(table)
  await client.query(
    `insert into ${quoted(table.name)} (${columns})
      select ${columns} from json_populate_recordset(null::${quoted(table.name)}, $1)`,
    [JSON.stringify(objects)],
  )
}

const numberedColumns = `select table_name as "table", pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
  from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`

async function issuedOf(client: pg.Client): Promise<IssuedNumbers> {
  const issued: Record<string, number> = {}
  const { rows } = await client.query<{ table: string; sequence: string }>(numberedColumns)
  for (const { table, sequence } of rows) {
    const { rows: last } = await client.query<{ last: number }>(
      `select case when is_called then last_value else 0 end as last from ${sequence}`,
    )
    issued[table] = last[0]?.last ?? 0
  }
  return issued
}

export async function setIssued(
  client: pg.Client,
  tables: readonly TableShape[],
  issued: IssuedNumbers,
): Promise<void> {
  const known = new Set(tables.map(({ name }) => name))
  const { rows } = await client.query<{ table: string; sequence: string }>(numberedColumns)
  for (const { table, sequence } of rows) {
    const last = issued[table] ?? 0
    if (known.has(table)) await client.query('select setval($1, $2, $3)', [sequence, Math.max(1, last), last > 0])
  }
}

export async function setTriggers(
  client: pg.Client,
  tables: readonly TableShape[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} ${state} trigger user`)
}

/**
 * Replaces all tables by empty ones, which are filled without triggers, because their effects are already in the copied
 * rows.
 */
export async function emptyTables(
  client: pg.Client,
  names: readonly string[],
  list?: readonly Migration[],
): Promise<TableShape[]> {
  await dropEverything(client, names)
  await migrateInTransaction(client, list)
  const tables = await tablesOf(client)
  await setTriggers(client, tables, 'disable')
  for (const { name } of tables.toReversed()) await client.query(`delete from ${quoted(name)}`)
  return tables
}

/** Extensions and privileges are kept. */
async function dropEverything(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) await client.query(`drop table ${quoted(name)} cascade`)
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
      where pronamespace = current_schema()::regnamespace
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  for (const { name } of rows) await client.query(`drop function ${name} cascade`)
}
