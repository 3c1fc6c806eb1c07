import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { RequestAborted, reportCaller, ReportQueue } from '../report-queue.ts'
import type { DatabaseServers } from './database-servers.ts'
import { checkOut } from './server-client.ts'

/** Reports on connections of their own: owners take turns, and queries are canceled when nobody waits for them. */
export class ReportConnection implements DatabaseConnection {
  readonly #queue: ReportQueue
  readonly #pool: pg.Pool
  readonly #servers: DatabaseServers

  /** One connection of the pool is reserved for canceling queries on the others. */
  constructor(pool: pg.Pool, servers: DatabaseServers) {
    this.#queue = new ReportQueue(Math.max(1, pool.options.max - 1))
    this.#pool = pool
    this.#servers = servers
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const caller = reportCaller()
    const { signal } = caller
    return this.#queue.run(caller, async () => {
      const client = await checkOut(this.#servers, this.#pool)
      let canceled: Promise<unknown> | undefined
      const cancel = () => {
        canceled = this.#pool.query('select pg_cancel_backend($1)', [client.backend]).catch(() => {})
      }
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        // The caller may have disconnected while the connection was opened.
        if (signal?.aborted) throw new RequestAborted('The caller has left')
        const result = await client.query<R & pg.QueryResultRow>(sql, [...parameters])
        const { rows } = result
        // The driver's finished queries keep each other until a full garbage collection, and would keep their rows.
        result.rows = []
        return { rows }
      } catch (error) {
        throw canceled ? new RequestAborted('The caller has left') : error
      } finally {
        signal?.removeEventListener('abort', cancel)
        await canceled
        // A late cancellation would hit the next user of the connection.
        client.release(canceled !== undefined)
      }
    })
  }

  // oxlint-disable-next-line require-yield -- long reads page by key instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Page by key instead of streaming')
  }
}

/** Kysely on this connection; it begins no transactions. */
export function reportDialect(connection: ReportConnection): Dialect {
  const reject = async (): Promise<never> => {
    throw new Error('Reports only read')
  }
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: reject,
    commitTransaction: reject,
    rollbackTransaction: reject,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
