import { close, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'
import { DatabaseUnavailable } from '../unavailable.ts'

export interface LogFile {
  /** Resolves when everything written to the file before the call is on the disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * The write-ahead log of a database. It is opened once: SQLite keeps the file while the database is open, and holds
 * none of its locks on it.
 */
export function writeAheadLog(databaseFile: string): LogFile {
  let handle: Promise<number> | undefined
  return {
    async flush() {
      handle ??= promisify(open)(`${databaseFile}-wal`, 'r+')
      await promisify(fdatasync)(await handle)
    },
    async close() {
      const opened = await handle?.catch(() => undefined)
      handle = undefined
      if (opened !== undefined) await promisify(close)(opened)
    },
  }
}

/**
 * Makes commits durable without blocking the event loop. SQLite writes a commit to its log; the log is then flushed on
 * the thread pool. Commits that happen during a flush share the next one.
 */
export class LogFlush {
  readonly #log: LogFile
  readonly #onFailure: (error: unknown) => void
  #current: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failure: DatabaseUnavailable | undefined

  /**
   * After a failed flush, it is unknown what is on the disk, and the next flush may succeed without having written it:
   * everything is rejected from then on, and only a new process can continue. `onFailure` is called once.
   */
  constructor(log: LogFile, onFailure: (error: unknown) => void = () => {}) {
    this.#log = log
    this.#onFailure = onFailure
  }

  /** Resolves when all commits until now are on the disk. Called right after a commit. */
  committed(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure)
    // The current flush may have begun before the commit.
    return (this.#next ??= this.#flushAfter(this.#current))
  }

  /** Resolves when all commits until now are on the disk; undefined if they are. */
  get pending(): Promise<void> | undefined {
    return this.#failure ? Promise.reject(this.#failure) : (this.#next ?? this.#current)
  }

  async close(): Promise<void> {
    await this.pending?.catch(() => {})
    await this.#log.close()
  }

  async #flushAfter(current: Promise<void> | undefined): Promise<void> {
    await current
    this.#next = undefined
    await (this.#current = this.#flush())
  }

  async #flush(): Promise<void> {
    try {
      await this.#log.flush()
    } catch (error) {
      this.#failure = new DatabaseUnavailable('The disk did not keep what was written', { cause: error })
      this.#onFailure(error)
      throw this.#failure
    } finally {
      this.#current = undefined
    }
  }
}
