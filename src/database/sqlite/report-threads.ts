import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { reportCaller, type ReportCaller, ReportQueue } from '../report-queue.ts'
import { type ReportAnswer, type ReportJob, ReportThread, type ReportThreadFiles } from './report-thread.ts'

const maxThreads = 2
const maxIdleMs = 30_000

/** The index has a single writer, which may differ from the searching thread. */
const indexing: ReportCaller = { owner: 'index', signal: undefined }

/** Threads for reports: one as long as it is enough, a second one for owners who would wait for another owner. */
export class ReportThreads implements DatabaseConnection {
  #files: ReportThreadFiles
  readonly #queue = new ReportQueue(maxThreads)
  /** Idle threads, the most recently used one last. */
  #idle: ReportThread[] = []
  readonly #all = new Set<ReportThread>()
  #spareTimer: NodeJS.Timeout | undefined

  constructor(files: ReportThreadFiles) {
    this.#files = files
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const answer = await this.#run({ kind: 'query', sql, parameters }, reportCaller())
    return { rows: (answer.rows ?? []) as R[] }
  }

  // oxlint-disable-next-line require-yield -- long reads page by key instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Page by key instead of streaming')
  }

  /**
   * Updates the search index; returns the last change it contains. For an app, only if its own rows need it: nobody
   * waits for the changes of others.
   */
  async catchUpIndex(appId?: string): Promise<number> {
    if (appId !== undefined) {
      const { indexedTo } = await this.#run({ kind: 'index', appId }, reportCaller())
      if (indexedTo !== undefined) return indexedTo
    }
    return (await this.#run({ kind: 'index', appId: undefined }, indexing)).indexedTo ?? 0
  }

  async close(): Promise<void> {
    clearTimeout(this.#spareTimer)
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  #run(job: ReportJob, caller: ReportCaller): Promise<ReportAnswer> {
    return this.#queue.run(caller, async () => {
      const thread = this.#take()
      try {
        const answer = await thread.run(job, caller.signal)
        if (answer.rebuilt) this.#endOthers(thread)
        return answer
      } finally {
        this.#give(thread)
      }
    })
  }

  #take(): ReportThread {
    const thread = this.#idle.pop()
    if (thread && !thread.hasEnded) return thread
    if (thread) this.#all.delete(thread)
    const started = new ReportThread(this.#files)
    this.#files = { ...this.#files, issued: undefined }
    this.#all.add(started)
    return started
  }

  #give(thread: ReportThread): void {
    if (thread.hasEnded) return void this.#all.delete(thread)
    if (!this.#all.has(thread)) return void thread.end()
    this.#idle.push(thread)
    if (this.#all.size === 1) return
    this.#spareTimer?.refresh()
    this.#spareTimer ??= setTimeout(() => this.#endSpare(), maxIdleMs).unref()
  }

  /** An idle thread keeps memory for its cache. */
  #endSpare(): void {
    this.#spareTimer = undefined
    if (this.#idle.length < 2) return
    const spare = this.#idle.shift()
    if (!spare) return
    this.#all.delete(spare)
    void spare.end()
  }

  #endOthers(thread: ReportThread): void {
    for (const other of this.#all) {
      if (other === thread) continue
      this.#all.delete(other)
      const isIdle = this.#idle.includes(other)
      this.#idle = this.#idle.filter((each) => each !== other)
      // A busy thread ends after its current reply.
      if (isIdle) void other.end()
    }
  }
}
