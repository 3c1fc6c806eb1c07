import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { SearchSource } from '../search-source.ts'
import type { IssuedNumbers } from './trigram-index.ts'

export type ReportRequest =
  | { id: number; kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { id: number; kind: 'index' }

export interface ReportAnswer {
  id: number
  rows?: Record<string, unknown>[]
  indexedTo?: number
  error?: string
}

export interface ReportThreadFiles {
  databaseFile: string
  searchFile: string
  sources: readonly SearchSource[]
  /** What the database had given out when it was opened; a thread that starts again asks for itself. */
  issued?: IssuedNumbers | undefined
}

/** Beside this file, as a source or built. */
const workerFile = new URL(`./report-worker${extname(import.meta.url)}`, import.meta.url)

/** The thread that long reads and the search index run in, so that a heartbeat never waits for a report. */
export class ReportThread implements DatabaseConnection {
  #files: ReportThreadFiles
  readonly #pending = new Map<number, (answer: ReportAnswer) => void>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(files: ReportThreadFiles) {
    this.#files = files
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const answer = await this.#ask({ kind: 'query', sql: query.sql, parameters: query.parameters })
    return { rows: (answer.rows ?? []) as R[] }
  }

  // oxlint-disable-next-line require-yield -- long reads page by key instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Page by key instead of streaming')
  }

  /** Brings the search index up to date; gives the last change that it holds. */
  async catchUpIndex(): Promise<number> {
    return (await this.#ask({ kind: 'index' })).indexedTo ?? 0
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  async #ask(request: { kind: 'query'; sql: string; parameters: readonly unknown[] } | { kind: 'index' }) {
    const worker = (this.#worker ??= this.#start())
    const id = ++this.#lastId
    const answer = await new Promise<ReportAnswer>((resolve) => {
      this.#pending.set(id, resolve)
      worker.ref()
      worker.postMessage({ id, ...request })
    })
    if (this.#pending.size === 0) worker.unref()
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }

  #start(): Worker {
    const worker = new Worker(workerFile, { workerData: this.#files })
    this.#files = { ...this.#files, issued: undefined }
    worker.on('message', (answer: ReportAnswer) => {
      const resolve = this.#pending.get(answer.id)
      this.#pending.delete(answer.id)
      resolve?.(answer)
    })
    const fail = (error: string) => {
      if (this.#worker === worker) this.#worker = undefined
      for (const [id, resolve] of this.#pending) resolve({ id, error })
      this.#pending.clear()
    }
    worker.on('error', (error) => fail(String(error)))
    worker.on('exit', () => fail('The report thread ended'))
    return worker
  }
}
