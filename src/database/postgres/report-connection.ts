import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { CallerLeft, reportCaller, ReportQueue } from '../report-queue.ts'

/** Few enough that programs always find a connection. */
const maxRunning = 4

/** Reports on connections of their own: owners take turns, and the server stops a query that nobody waits for. */
export class ReportConnection implements DatabaseConnection {
  readonly #queue = new ReportQueue(maxRunning)
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const caller = reportCaller()
    const { signal } = caller
    return this.#queue.run(caller, async () => {
      const client = await this.#pool.connect()
      let cancelled: Promise<unknown> | undefined
      const cancel = () => {
        // `processID` is not in the types of pg.
        const { processID } = client as unknown as { processID: number }
        cancelled = this.#pool.query('select pg_cancel_backend($1)', [processID]).catch(() => {})
      }
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        // It may have left while the connection was opened.
        if (signal?.aborted) throw new CallerLeft('The caller has left')
        const { rows } = await client.query<R & pg.QueryResultRow>(sql, [...parameters])
        return { rows }
      } catch (error) {
        throw cancelled ? new CallerLeft('The caller has left') : error
      } finally {
        signal?.removeEventListener('abort', cancel)
        await cancelled
        // A cancellation that came late would stop whoever has the connection next.
        client.release(cancelled !== undefined)
      }
    })
  }

  // oxlint-disable-next-line require-yield -- long reads page by key instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Page by key instead of streaming')
  }
}

/** Kysely over it; it begins no transactions. */
export function reportDialect(connection: ReportConnection): Dialect {
  const refuse = async (): Promise<never> => {
    throw new Error('Reports only read')
  }
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
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

/** Connections that reports may use, with one for stopping them. */
export const reportConnections = maxRunning + 1
