import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { RequestAborted, ReportTooLong } from '../report-queue.ts'
import type { SearchSource } from '../search-source.ts'
import type { IssuedNumbers } from './trigram-index.ts'

export type ReportJob =
  | { kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { kind: 'index'; appId: string | undefined }

export type ReportRequest = ReportJob & { id: number }

export interface ReportAnswer {
  id: number
  rows?: Record<string, unknown>[]
  indexedTo?: number
  /** The index file was replaced: threads that have it open read the old one. */
  rebuilt?: boolean
  error?: string
  stopped?: 'left' | 'too long'
  /** SQLite's own error code. */
  errcode?: number | undefined
}

export interface ReportThreadFiles {
  databaseFile: string
  searchFile: string
  sources: readonly SearchSource[]
  /** Timeout of a report. */
  maxMs: number
  /** Numbers the database had assigned when it was opened; a thread that restarts reads them itself. */
  issued?: IssuedNumbers | undefined
  /** Code of the thread; by default, the file next to this one. */
  workerFile?: string | URL | undefined
}

export interface ReportWorkerData extends Omit<ReportThreadFiles, 'workerFile'> {
  /** Number of the request to be stopped. */
  stop: Int32Array
}

/** Next to this file, both in the sources and in the build. */
const besideThisFile = new URL(`./report-worker${extname(import.meta.url)}`, import.meta.url)

/** Reports keep few rows at a time: with Node's 48 MB, an export of a million keys took 30 MB more memory. */
const maxYoungGenerationSizeMb = 16

/** A thread for long reads and the search index, one at a time, so that a heartbeat never waits for a report. */
export class ReportThread {
  readonly #pending = new Map<number, (answer: ReportAnswer) => void>()
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  readonly #worker: Worker
  #lastId = 0
  hasEnded = false

  constructor({ workerFile = besideThisFile, ...files }: ReportThreadFiles) {
    this.#worker = new Worker(workerFile, {
      workerData: { ...files, stop: this.#stop } satisfies ReportWorkerData,
      resourceLimits: { maxYoungGenerationSizeMb },
    })
    this.#worker.unref()
    this.#worker.on('message', (answer: ReportAnswer) => {
      const resolve = this.#pending.get(answer.id)
      this.#pending.delete(answer.id)
      resolve?.(answer)
    })
    const fail = (error: string) => {
      this.hasEnded = true
      for (const [id, resolve] of this.#pending) resolve({ id, error })
      this.#pending.clear()
    }
    this.#worker.on('error', (error) => fail(String(error)))
    this.#worker.on('exit', () => fail('The report thread ended'))
  }

  /** Rejects with `RequestAborted` soon after the signal, and with `ReportTooLong`. */
  async run(job: ReportJob, signal: AbortSignal | undefined): Promise<ReportAnswer> {
    const id = ++this.#lastId
    const stop = () => void Atomics.store(this.#stop, 0, id)
    const answer = await new Promise<ReportAnswer>((resolve) => {
      this.#pending.set(id, resolve)
      signal?.addEventListener('abort', stop, { once: true })
      this.#worker.ref()
      this.#worker.postMessage({ ...job, id } satisfies ReportRequest)
    })
    signal?.removeEventListener('abort', stop)
    this.#worker.unref()
    if (answer.stopped === 'left') throw new RequestAborted('The caller has left')
    if (answer.stopped === 'too long') throw new ReportTooLong('The report took too long')
    if (answer.error !== undefined) {
      const { errcode } = answer
      throw Object.assign(new Error(answer.error), errcode !== undefined && { code: 'ERR_SQLITE_ERROR', errcode })
    }
    return answer
  }

  async end(): Promise<void> {
    this.hasEnded = true
    await this.#worker.terminate()
  }
}
