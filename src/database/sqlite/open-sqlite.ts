import { Kysely, sql, type Transaction } from 'kysely'
import { EventBus } from '../event-bus.ts'
import { CommitEffects } from '../commit-effects.ts'
import type { Database, EventListener, Tx } from '../database.ts'
import { migrateSqlite } from '../migrate.ts'
import { RequestAborted, maxReportMs } from '../report-queue.ts'
import type { Schema } from '../schema.ts'
import type { SearchSource } from '../search-source.ts'
import { WriteHealth } from '../write-health.ts'
import { GroupCommit } from './group-commit.ts'
import { keepStatistics } from './planner-statistics.ts'
import { ReportThreads } from './report-threads.ts'
import { allRows, indexedRows, usesIndex } from './searched-rows.ts'
import { queuedSqliteDialect, SqliteConnection, sqliteDialect } from './sqlite-connection.ts'
import { issuedNumbers } from './trigram-index.ts'

export interface SqliteOptions {
  file: string
  sources: readonly SearchSource[]
  /** False only in tests and benchmarks of reads: commits without waiting for the disk. */
  durable?: boolean
  /** How long after a commit the search index catches up. */
  indexDelayMs?: number
  /** How long a transaction waits for a lock of another process, in milliseconds. */
  maxLockWaitMs?: number
  onError?: (error: unknown) => void
  /** After so long a report is ended. */
  reportMs?: number
  /** Hears of each statement that the main thread prepares. */
  onStatement?: (sql: string) => void
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { file, sources, durable = true, onStatement } = options
  const writer = new SqliteConnection(file, { durable, onStatement })
  migrateSqlite(writer)
  keepStatistics(writer)
  const reader = new SqliteConnection(file, { readOnly: true, onStatement })
  const threads = new ReportThreads({
    databaseFile: file,
    searchFile: `${file}-search`,
    sources,
    issued: issuedNumbers(writer),
    maxMs: options.reportMs ?? maxReportMs,
  })
  writer.neverBlock()
  reader.neverBlock()
  const commits = new GroupCommit(writer, { ...(options.maxLockWaitMs && { maxWaitMs: options.maxLockWaitMs }) })
  const events = new EventBus(options.onError)
  const listeners = new Set<EventListener>()
  const trx = new Kysely<Schema>({ dialect: sqliteDialect(writer) }) as unknown as Transaction<Schema>

  const reports = new Kysely<Schema>({ dialect: queuedSqliteDialect(threads) })

  const writes = new WriteHealth()
  const totalChanges = () => Number(writer.run('select total_changes() as n', []).rows[0]?.['n'])
  let changesAtFailure = 0

  let indexTimer: NodeJS.Timeout | undefined
  let indexing: Promise<void> | undefined
  let closed = false

  async function catchUpIndex(): Promise<void> {
    const indexedTo = await threads.catchUpIndex()
    if (closed || indexedTo === 0) return
    await commits.submit(async () => {
      await sql`delete from search_changes where seq <= ${indexedTo}`.execute(trx)
    })
  }

  /** Changes whenever a searched row comes, goes or is reworded: ids are never reused. */
  const counters = ['search_changes', ...sources.map(({ table }) => table)]
  const countersSql = `select name, seq from sqlite_sequence where name in (${counters.map(() => '?').join()}) order by name`
  const searchedState = () => JSON.stringify(reader.run(countersSql, counters).rows)
  let indexedState = searchedState()

  function catchUpSoon(): void {
    if (indexTimer || closed) return
    indexTimer = setTimeout(() => {
      indexTimer = undefined
      // What is not indexed is found all the same; a thread for nothing would cost memory.
      const state = searchedState()
      if (state === indexedState) return
      indexedState = state
      indexing = catchUpIndex().catch((error: unknown) => (closed ? undefined : options.onError?.(error)))
    }, options.indexDelayMs ?? 500).unref()
  }

  return {
    engine: 'sqlite',
    read: new Kysely<Schema>({ dialect: sqliteDialect(reader) }),
    reports,
    events,
    hasOtherInstances: false,
    announce: async (topic) => events.publish(topic),
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const effects = new CommitEffects()
      const tx = effects.on(trx)
      const result = await commits
        .submit(async () => {
          const value = await work(tx)
          await effects.deliver(tx, listeners)
          return value
        })
        .catch((error: unknown) => {
          writes.failed(error)
          if (writes.problem) changesAtFailure = totalChanges()
          throw error
        })
      // A full disk takes a transaction that changes nothing.
      if (writes.problem && totalChanges() !== changesAtFailure) writes.succeeded()
      effects.run(events, options.onError)
      catchUpSoon()
      return result
    },

    async searched(source, { appId, text }) {
      const search = { appId, text: text?.trim() }
      if (!search.text || !usesIndex(search.text)) return allRows(reports, source, search)
      try {
        await threads.catchUpIndex(appId)
        return indexedRows(reports, source, search)
      } catch (error) {
        if (error instanceof RequestAborted) throw error
        // Without its index a search is slow, not wrong.
        options.onError?.(error)
        return allRows(reports, source, search)
      }
    },
    async searchSettled() {
      await commits.idle()
      await catchUpIndex()
    },
    writes,
    waitingTransactions: () => commits.waitingCount,
    async ping() {
      reader.run('select 1', [])
    },
    async close() {
      closed = true
      clearTimeout(indexTimer)
      await commits.close()
      await indexing
      await threads.close()
      reader.close()
      writer.close()
    },
  }
}
