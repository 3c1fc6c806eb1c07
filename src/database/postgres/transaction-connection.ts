import {
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresDialect,
  type PostgresPool,
  type QueryResult,
  Transaction,
} from 'kysely'
import type pg from 'pg'
import { setDirectConnection } from '../direct-connection.ts'
import type { Schema } from '../schema.ts'

/** Commands whose count of rows is one of changed rows. */
const changingCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/**
 * One transaction on a connection. Statements are sent without waiting for earlier answers, so those that a unit of
 * work runs at once, and `begin` with the first of them, cost one round trip (docs/decisions/028). PostgreSQL executes
 * them in the order in which they were sent.
 */
export class TransactionConnection implements DatabaseConnection {
  readonly #client: pg.ClientBase
  readonly #onStatement: ((sql: string, parameters: readonly unknown[]) => void) | undefined
  readonly #begun: Promise<unknown>
  #isOver = false

  constructor(client: pg.ClientBase, onStatement?: (sql: string, parameters: readonly unknown[]) => void) {
    this.#client = client
    this.#onStatement = onStatement
    this.#begun = client.query('begin')
    // Each statement reports it; a transaction may have none.
    this.#begun.catch(() => {})
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // A unit of work that was rejected may still be running: nothing of it may reach the next transaction.
    if (this.#isOver) throw new Error('The transaction is over')
    this.#onStatement?.(sql, parameters)
    const [, { command, rowCount, rows }] = await Promise.all([
      this.#begun,
      this.#client.query(sql, parameters as unknown[]),
    ])
    if (!changingCommands.has(command)) return { rows: rows as R[] }
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  // oxlint-disable-next-line require-yield -- long reads page by key instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Page by key instead of streaming')
  }

  /** Sends the notifications with the commit; resolves once both are durable. */
  async commit(channel: string, topics: readonly string[]): Promise<void> {
    this.#isOver = true
    const notified =
      topics.length === 0
        ? undefined
        : this.#client.query('select pg_notify($1, topic) from unnest($2::text[]) as topic', [channel, topics])
    const [, , { command }] = await Promise.all([this.#begun, notified, this.#client.query('commit')])
    // The answer to a commit after a failed statement that nobody waited for.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement failed')
  }

  async rollback(): Promise<void> {
    this.#isOver = true
    await this.#client.query('rollback')
  }
}

/** Makes handles for units of work out of connections. */
export function transactionHandles(db: Kysely<Schema>, pool: PostgresPool) {
  // Kysely asks for both, and a handle never opens a connection with them.
  const dialect = new PostgresDialect({ pool })
  const driver = dialect.createDriver()
  const executor = db.getExecutor()
  return (connection: TransactionConnection): Transaction<Schema> => {
    const provider = {
      provideConnection: <T>(work: (connection: DatabaseConnection) => Promise<T>) => work(connection),
    }
    const handle = new Transaction<Schema>({
      config: { dialect },
      dialect,
      driver,
      executor: executor.withConnectionProvider(provider),
    })
    setDirectConnection(handle, connection)
    return handle
  }
}
