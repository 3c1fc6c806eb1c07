import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseUnavailable } from '../unavailable.ts'
import type { Checkpoints } from './checkpoints.ts'
import { isLocked, lockPause, maxLockWaitMs } from './lock-wait.ts'
import type { LogFlush } from './log-flush.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

interface GroupCommitOptions {
  /** How long a transaction waits for a lock of another process before it fails. */
  maxWaitMs?: number
  /** Makes commits durable. If absent, that is left to the connection's own settings. */
  flushes?: LogFlush | undefined
  /** Copies the log into the database. Without it, the connection does. */
  checkpoints?: Checkpoints | undefined
}

interface Job {
  /** Monotonic clock, in milliseconds. */
  since: number
  work: () => Promise<unknown>
  /** Called when the commit is durable, or with the error. */
  done: (outcome: { value?: unknown; error?: unknown }) => void
}

interface Outcome {
  job: Job
  value?: unknown
  error?: unknown
}

const finish = (outcomes: readonly Outcome[]): void => {
  for (const { job, value, error } of outcomes) job.done({ value, error })
}

const maxJobsPerCommit = 256
/** More waiting transactions mean that nothing moves: each holds a request in memory. */
const maxWaiting = 10_000

/**
 * SQLite has one writer. Transactions that wait together share one SQLite transaction, each in its own savepoint, and
 * resolve once it is durable. The next ones run while the disk is still writing.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  readonly #maxWaitMs: number
  readonly #flushes: LogFlush | undefined
  readonly #checkpoints: Checkpoints | undefined
  /** Committed, but perhaps not on the disk. */
  readonly #unflushed = new Set<Promise<void>>()
  #unflushedJobs = 0
  #isClosed = false

  constructor(
    connection: SqliteConnection,
    { maxWaitMs = maxLockWaitMs, flushes, checkpoints }: GroupCommitOptions = {},
  ) {
    this.#connection = connection
    this.#maxWaitMs = maxWaitMs
    this.#flushes = flushes
    this.#checkpoints = checkpoints
  }

  submit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new DatabaseUnavailable('The database is closed'))
    if (this.waitingCount >= maxWaiting) {
      return Promise.reject(new DatabaseUnavailable('Too many transactions wait for the database'))
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        since: performance.now(),
        // Another caller, with another async context, may have started the loop that runs it.
        work: AsyncLocalStorage.bind(work),
        done: ({ value, error }) => (error === undefined ? resolve(value as T) : reject(error)),
      })
      this.#running ??= this.#run()
    })
  }

  get waitingCount(): number {
    return this.#waiting.length + this.#unflushedJobs
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    await this.#running
    await Promise.all(this.#unflushed)
  }

  /** Resolves when all submitted work is done; later work is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.idle()
  }

  async #run(): Promise<void> {
    // All requests of this turn of the event loop join the same commit.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      await this.#checkpoints?.rest()
      const jobs = this.#waiting.splice(0, maxJobsPerCommit)
      await this.#commitTogether(jobs)
      await new Promise(setImmediate)
    }
    this.#running = undefined
  }

  /** Takes the write lock; false if another process held it for longer than any of the transactions may wait. */
  async #begin(jobs: Job[]): Promise<boolean> {
    while (jobs.length > 0) {
      try {
        this.#connection.database.exec('begin immediate')
        return true
      } catch (error) {
        if (!isLocked(error)) throw error
        this.#failOld(jobs, error)
        this.#failOld(this.#waiting, error)
      }
      await lockPause()
    }
    return false
  }

  #failOld(jobs: Job[], error: unknown): void {
    const oldest = performance.now() - this.#maxWaitMs
    while (jobs[0] && jobs[0].since <= oldest) jobs.shift()?.done({ error })
  }

  async #commitTogether(jobs: Job[]): Promise<void> {
    const database = this.#connection.database
    const outcomes: Outcome[] = []
    const changedBefore = this.#connection.changedRows
    try {
      if (!(await this.#begin(jobs))) return
      for (const job of jobs) outcomes.push({ job, ...(await this.#inSavepoint(job)) })
      database.exec('commit')
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      for (const job of jobs) job.done({ error })
      return
    }
    const changed = this.#connection.changedRows - changedBefore
    if (changed > 0) this.#checkpoints?.committed(changed)
    // Without changes of their own, they may have read what isn't durable.
    const flush = changed > 0 ? this.#flushes?.committed() : this.#flushes?.pending
    if (!flush) finish(outcomes)
    else this.#finishAfter(flush, outcomes)
  }

  #finishAfter(flush: Promise<void>, outcomes: Outcome[]): void {
    this.#unflushedJobs += outcomes.length
    const finished: Promise<void> = flush
      .then(() => finish(outcomes))
      .catch((error: unknown) => {
        for (const { job } of outcomes) job.done({ error })
      })
      .finally(() => {
        this.#unflushed.delete(finished)
        this.#unflushedJobs -= outcomes.length
      })
    this.#unflushed.add(finished)
  }

  async #inSavepoint(job: Job): Promise<{ value?: unknown; error?: unknown }> {
    const database = this.#connection.database
    database.exec('savepoint tx')
    try {
      const value = await job.work()
      database.exec('release tx')
      return { value }
    } catch (error) {
      // A full disk rolls back the whole transaction, including all savepoints.
      if (!database.isTransaction) throw error
      database.exec('rollback to tx; release tx')
      return { error: error ?? new Error('The transaction failed') }
    }
  }
}
