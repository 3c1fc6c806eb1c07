import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseUnavailable } from '../unavailable.ts'
import { isLocked, lockPause, maxLockWaitMs } from './lock-wait.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

interface Job {
  /** Monotonic clock, in milliseconds. */
  since: number
  work: () => Promise<unknown>
  /** Called after the commit, or with the error. */
  done: (outcome: { value?: unknown; error?: unknown }) => void
}

const maxJobsPerCommit = 256
/** More waiting transactions mean that nothing moves: each holds a request in memory. */
const maxWaiting = 10_000

/**
 * SQLite has one writer and one fsync per commit. Transactions that wait together share one SQLite transaction, each in
 * its own savepoint, and resolve after the commit.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  readonly #maxWaitMs: number
  #isClosed = false

  /** `maxWaitMs`: how long a transaction waits for a lock of another process before it fails. */
  constructor(connection: SqliteConnection, { maxWaitMs = maxLockWaitMs } = {}) {
    this.#connection = connection
    this.#maxWaitMs = maxWaitMs
  }

  submit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new DatabaseUnavailable('The database is closed'))
    if (this.#waiting.length >= maxWaiting) {
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
    return this.#waiting.length
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    await this.#running
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
    const outcomes: { job: Job; value?: unknown; error?: unknown }[] = []
    try {
      if (!(await this.#begin(jobs))) return
      for (const job of jobs) outcomes.push({ job, ...(await this.#inSavepoint(job)) })
      database.exec('commit')
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      for (const job of jobs) job.done({ error })
      return
    }
    for (const { job, value, error } of outcomes) job.done({ value, error })
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
