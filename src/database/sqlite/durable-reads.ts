import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { LogFlush } from './log-flush.ts'

/**
 * Reads on another connection, whose rows are returned once they are on the disk: a power cut never takes back what a
 * caller has seen.
 */
export class DurableReads implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #flushes: LogFlush

  constructor(connection: DatabaseConnection, flushes: LogFlush) {
    this.#connection = connection
    this.#flushes = flushes
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#connection.executeQuery<R>(query)
    // All rows that the query may have seen were committed before this line.
    const { pending } = this.#flushes
    if (pending) await pending
    return result
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize)
  }
}
