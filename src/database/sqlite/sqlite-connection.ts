import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { blockingLockPause, isLocked, lockPause, maxLockWaitMs } from './lock-wait.ts'
import { OneConnectionAdapter } from './one-connection-adapter.ts'

const cachedStatements = 500

type Row = Record<string, unknown>

interface PreparedStatement {
  statement: StatementSync
  /** Names of the columns of its rows; none if it returns no rows. */
  columns: string[]
}

export interface SqliteConnectionOptions {
  readOnly?: boolean
  durable?: boolean
  onStatement?: ((sql: string) => void) | undefined
}

/** A `node:sqlite` handle that caches its prepared statements. */
export class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, PreparedStatement>()
  readonly #onStatement: ((sql: string) => void) | undefined

  /** `onStatement` is called with each prepared text, so that tests can read its plan. */
  constructor(path: string, options: SqliteConnectionOptions = {}) {
    this.#onStatement = options.onStatement
    this.database = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: 5000 })
    this.database.exec(`
      pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -16000;
    `)
    if (!options.readOnly) {
      this.useLog('main')
      this.database.exec(`
        pragma synchronous = ${options.durable === false ? 'off' : 'full'}; pragma journal_size_limit = 67108864;
      `)
    }
  }

  /** While another process switches a new file to a write-ahead log, SQLite fails at once instead of waiting. */
  useLog(schema: 'main' | 'search'): void {
    const waitUntil = performance.now() + maxLockWaitMs
    for (;;) {
      try {
        this.database.exec(`pragma ${schema}.journal_mode = wal`)
        return
      } catch (error) {
        if (!isLocked(error) || performance.now() > waitUntil) throw error
      }
      blockingLockPause()
    }
  }

  /** From now on, a lock of another process is an immediate error instead of blocking this thread. */
  neverBlock(): void {
    this.database.exec('pragma busy_timeout = 0')
  }

  /**
   * From now on, a commit neither waits for the disk nor copies the log into the database, except a log of 80 MB that
   * no other connection has copied. Checkpoints stay ordered: the log is flushed before them, and the database after them.
   */
  leaveFlushesToOthers(): void {
    this.database.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 20000')
  }

  /** Flushes the log, and copies the part of it that no reader uses into the database. Never waits for readers or writers. */
  checkpoint(): void {
    this.database.exec('pragma wal_checkpoint(passive)')
  }

  /** Number of rows that this connection has changed so far, also in transactions that were rolled back. */
  get changedRows(): number {
    return Number(this.run('select total_changes() as n', []).rows[0]?.['n'])
  }

  /** Runs a statement and returns its rows, or the number of changed rows. */
  run(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const prepared = this.#prepared(sql)
    const { statement } = prepared
    const values = parameters as SQLInputValue[]
    if (prepared.columns.length > 0) {
      const rows = statement.all(...values) as unknown as unknown[][]
      // SQLite prepares a statement again after a column was added.
      if (rows[0] && rows[0].length !== prepared.columns.length) prepared.columns = columnsOf(statement)
      return { rows: rows.map((row) => namedValues(prepared.columns, row)) }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const waitUntil = performance.now() + maxLockWaitMs
    for (;;) {
      try {
        return this.run(query.sql, query.parameters) as QueryResult<R>
      } catch (error) {
        if (!isLocked(error) || this.database.isTransaction || performance.now() > waitUntil) throw error
      }
      await lockPause()
    }
  }

  // oxlint-disable-next-line require-yield -- long reads page by key instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Page by key instead of streaming')
  }

  close(): void {
    this.#statements.clear()
    if (this.database.isOpen) this.database.close()
  }

  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    this.#onStatement?.(sql)
    const statement = this.database.prepare(sql)
    const prepared = { statement, columns: columnsOf(statement) }
    if (prepared.columns.length > 0) statement.setReturnArrays(true)
    // Prepared statements may have other columns afterwards.
    if (/^\s*(alter|drop)\b/i.test(sql)) this.#statements.clear()
    if (this.#statements.size >= cachedStatements) {
      this.#statements.delete(this.#statements.keys().next().value as string)
    }
    this.#statements.set(sql, prepared)
    return prepared
  }
}

const columnsOf = (statement: StatementSync): string[] => statement.columns().map(({ name }) => name)

/** `node:sqlite` makes rows that V8 keeps as dictionaries, which are slow to make, to copy, and to read. */
function namedValues(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Row = {}
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index]
  return row
}

/** For a connection with its own queue: Kysely's default would serialize the queries of all callers. */
class QueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export const queuedSqliteDialect = (connection: DatabaseConnection): Dialect => ({
  ...sqliteDialect(connection),
  createAdapter: () => new QueuedAdapter(),
})

/** Kysely on one connection, for all queries. The caller manages transactions. */
export function sqliteDialect(connection: DatabaseConnection): Dialect {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: rejectTransaction,
    commitTransaction: rejectTransaction,
    rollbackTransaction: rejectTransaction,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return {
    createAdapter: () => new OneConnectionAdapter(connection),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

async function rejectTransaction(): Promise<never> {
  throw new Error('Write through database.write(), which groups commits')
}
