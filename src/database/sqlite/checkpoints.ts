import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { CheckpointResult } from './checkpoint-worker.ts'

/** About 20 MB of log. */
const commitsPerCheckpoint = 64
const rowsPerCheckpoint = 4000

/** Next to this file, both in the sources and in the build. */
const besideThisFile = new URL(`./checkpoint-worker${extname(import.meta.url)}`, import.meta.url)

interface CheckpointOptions {
  databaseFile: string
  onError?: ((error: unknown) => void) | undefined
  /** Number of commits after which the log is copied. */
  commits?: number
}

/**
 * Copies the write-ahead log into the database in a thread of its own, because a checkpoint waits for the disk several
 * times. The log starts anew only when all of it was copied, which never happens under steady load. So what was
 * committed during a checkpoint is copied by a second, short one, for which transactions wait.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions
  #worker: Worker | undefined
  #answered: ((result: CheckpointResult) => void) | undefined
  #commits = 0
  #rows = 0
  #running: Promise<void> | undefined
  #isRestDue = false
  #isClosed = false

  constructor(options: CheckpointOptions) {
    this.#options = options
  }

  /** After each commit, with the number of rows it changed. */
  committed(rows: number): void {
    this.#commits += 1
    this.#rows += rows
    if (this.#isRestDue || this.#running || this.#isClosed) return
    const { commits = commitsPerCheckpoint } = this.#options
    if (this.#commits < commits && this.#rows < rowsPerCheckpoint) return
    this.#running = this.#first()
  }

  /** The rest of a checkpoint, for which the next transactions wait; undefined if there is none. */
  rest(): Promise<void> | undefined {
    return this.#isRestDue ? this.#rest() : undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
    await this.#worker?.terminate()
  }

  async #first(): Promise<void> {
    this.#commits = 0
    this.#rows = 0
    await this.#copy()
    // Complete, unless there was a commit meanwhile.
    this.#isRestDue = this.#commits > 0
    this.#running = undefined
  }

  async #rest(): Promise<void> {
    this.#isRestDue = false
    await (this.#running = this.#copy())
    this.#running = undefined
    this.#commits = 0
    this.#rows = 0
  }

  async #copy(): Promise<void> {
    const worker = (this.#worker ??= this.#start())
    const { error } = await new Promise<CheckpointResult>((resolve) => {
      this.#answered = resolve
      worker.postMessage(undefined)
    })
    if (error !== undefined && !this.#isClosed) this.#options.onError?.(new Error(`Checkpoint: ${error}`))
  }

  #start(): Worker {
    const worker = new Worker(besideThisFile, { workerData: { databaseFile: this.#options.databaseFile } })
    const answer = (result: CheckpointResult) => {
      this.#answered?.(result)
      this.#answered = undefined
    }
    const fail = (error: string) => {
      // After an error, it also exits: the next one may be at work by then.
      if (this.#worker !== worker) return
      this.#worker = undefined
      answer({ error })
    }
    worker.on('message', answer)
    worker.on('error', (error) => fail(String(error)))
    worker.on('exit', () => fail('the thread ended'))
    worker.unref()
    return worker
  }
}
