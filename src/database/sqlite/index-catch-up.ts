import { sql } from 'kysely'
import type { Transaction } from '../database.ts'
import type { SearchSource } from '../search-source.ts'
import type { GroupCommit } from './group-commit.ts'
import type { ReportThreads } from './report-threads.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

interface CatchUpDependencies {
  reader: SqliteConnection
  threads: ReportThreads
  commits: GroupCommit
  trx: Transaction
  sources: readonly SearchSource[]
  delayMs: number
  onError?: ((error: unknown) => void) | undefined
}

/** Updates the search index shortly after commits, in a report thread. */
export class IndexCatchUp {
  readonly #dependencies: CatchUpDependencies
  readonly #counters: readonly string[]
  readonly #countersSql: string
  #indexedState: string
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(dependencies: CatchUpDependencies) {
    this.#dependencies = dependencies
    this.#counters = ['search_changes', ...dependencies.sources.map(({ table }) => table)]
    const names = this.#counters.map(() => '?').join()
    this.#countersSql = `select name, seq from sqlite_sequence where name in (${names}) order by name`
    this.#indexedState = this.#searchedState()
  }

  async run(): Promise<void> {
    const { threads, commits, trx } = this.#dependencies
    const indexedTo = await threads.catchUpIndex()
    if (this.#closed || indexedTo === 0) return
    await commits.submit(async () => {
      await sql`delete from search_changes where seq <= ${indexedTo}`.execute(trx)
    })
  }

  runSoon(): void {
    if (this.#timer || this.#closed) return
    const { delayMs, onError } = this.#dependencies
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // Rows not yet in the index are found anyway; an extra thread would only cost memory.
      const state = this.#searchedState()
      if (state === this.#indexedState) return
      this.#indexedState = state
      this.#running = this.run().catch((error: unknown) => (this.#closed ? undefined : onError?.(error)))
    }, delayMs).unref()
  }

  /** Schedules no further updates. */
  stop(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async idle(): Promise<void> {
    await this.#running
  }

  /** Changes whenever a searched row is added, deleted or reworded: IDs are never reused. */
  #searchedState(): string {
    return JSON.stringify(this.#dependencies.reader.run(this.#countersSql, this.#counters).rows)
  }
}
