import { type DatabaseConnection, Kysely } from 'kysely'
import { EventBus } from '../event-bus.ts'
import { CommitEffects } from '../commit-effects.ts'
import type { Database, EventListener, Transaction, Tx } from '../database.ts'
import { migrateSqlite } from '../migrate.ts'
import { maxReportMs } from '../report-queue.ts'
import type { Schema } from '../schema.ts'
import type { SearchSource } from '../search-source.ts'
import { WriteHealth } from '../write-health.ts'
import { Checkpoints } from './checkpoints.ts'
import { DurableReads } from './durable-reads.ts'
import { GroupCommit } from './group-commit.ts'
import { IndexCatchUp } from './index-catch-up.ts'
import { type LogFile, LogFlush, writeAheadLog } from './log-flush.ts'
import { keepStatistics } from './planner-statistics.ts'
import { ReportThreads } from './report-threads.ts'
import { searchedRows } from './searched-rows.ts'
import { queuedSqliteDialect, SqliteConnection, sqliteDialect } from './sqlite-connection.ts'
import { issuedNumbers } from './trigram-index.ts'

export interface SqliteOptions {
  file: string
  sources: readonly SearchSource[]
  /** False only in tests and read benchmarks: commits without waiting for the disk. */
  durable?: boolean
  /** Delay after a commit before the search index is updated. */
  indexDelayMs?: number
  /** How long a transaction waits for a lock of another process, in milliseconds. */
  maxLockWaitMs?: number
  onError?: (error: unknown) => void
  /** The disk didn't keep a commit: only a new process can know what is on it. */
  onDiskFailure?: (error: unknown) => void
  /** Flushes the write-ahead log: tests make it slow, or fail. */
  log?: LogFile
  /** Timeout of a report. */
  reportMs?: number
  /** Code of the threads for reports: tests start hundreds of them and bundle it. */
  reportWorkerFile?: string | undefined
  /** Called for each statement prepared in the main thread. */
  onStatement?: (sql: string) => void
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { file, sources, durable = true, onStatement } = options
  const writer = new SqliteConnection(file, { durable, onStatement })
  // If the last process ended because a flush failed, parts of the log may only be in memory.
  if (durable) writer.checkpoint()
  migrateSqlite(writer)
  keepStatistics(writer)
  const reader = new SqliteConnection(file, { readOnly: true, onStatement })
  const threads = new ReportThreads({
    databaseFile: file,
    searchFile: `${file}-search`,
    sources,
    issued: issuedNumbers(writer),
    maxMs: options.reportMs ?? maxReportMs,
    workerFile: options.reportWorkerFile,
  })
  writer.neverBlock()
  reader.neverBlock()
  const log = options.log ?? writeAheadLog(file)
  const flushes = durable ? new LogFlush(log, options.onDiskFailure ?? options.onError) : undefined
  const checkpoints = durable ? new Checkpoints({ databaseFile: file, onError: options.onError }) : undefined
  if (durable) writer.leaveFlushesToOthers()
  const commits = new GroupCommit(writer, {
    flushes,
    checkpoints,
    ...(options.maxLockWaitMs && { maxWaitMs: options.maxLockWaitMs }),
  })
  const durably = (connection: DatabaseConnection) => (flushes ? new DurableReads(connection, flushes) : connection)
  const events = new EventBus(options.onError)
  const listeners = new Set<EventListener>()
  const trx = new Kysely<Schema>({ dialect: sqliteDialect(writer) }) as unknown as Transaction

  const reports = new Kysely<Schema>({ dialect: queuedSqliteDialect(durably(threads)) })

  const writes = new WriteHealth()

  const index = new IndexCatchUp({
    reader,
    threads,
    commits,
    trx,
    sources,
    delayMs: options.indexDelayMs ?? 500,
    onError: options.onError,
  })

  return {
    engine: 'sqlite',
    read: new Kysely<Schema>({ dialect: sqliteDialect(durably(reader)) }),
    reports,
    events,
    hasOtherInstances: false,
    announce: async (topic) => events.publish(topic),
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    write: writeWith({
      writer,
      commits,
      trx,
      events,
      listeners,
      writes,
      onCommit: () => index.runSoon(),
      onError: options.onError,
    }),

    searched: (source, search) => searchedRows({ reports, threads, onError: options.onError }, source, search),
    async searchSettled() {
      await commits.idle()
      await index.run()
    },
    writes,
    waitingTransactions: () => commits.waitingCount,
    async ping() {
      reader.run('select 1', [])
    },
    async close() {
      index.stop()
      await commits.close()
      await index.idle()
      await checkpoints?.close()
      await flushes?.close()
      await threads.close()
      reader.close()
      writer.close()
    },
  }
}

interface Writing {
  writer: SqliteConnection
  commits: GroupCommit
  trx: Transaction
  events: EventBus
  listeners: ReadonlySet<EventListener>
  writes: WriteHealth
  onCommit: () => void
  onError: ((error: unknown) => void) | undefined
}

/** Runs a unit of work and its listeners in a shared commit, and records whether the disk accepts it. */
function writeWith({ writer, commits, trx, events, listeners, writes, onCommit, onError }: Writing) {
  let changesAtFailure = 0
  return async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
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
        if (writes.problem) changesAtFailure = writer.changedRows
        throw error
      })
    // A transaction that changes nothing succeeds even on a full disk.
    if (writes.problem && writer.changedRows !== changesAtFailure) writes.succeeded()
    effects.run(events, onError)
    onCommit()
    return result
  }
}
