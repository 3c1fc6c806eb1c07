import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { OperatorError } from '#database/operator-error.ts'

/** The file is larger than it may be; nothing of it is left. */
export class FileTooLarge extends Error {}

/** The store has no room; nothing of the file is left. */
export class StoreFull extends Error {}

/** The store can't be reached or doesn't do what it should; the same may work a moment later. */
export class StoreUnavailable extends OperatorError {}

/** The store has no such file. */
export class FileMissing extends Error {}

/** As the server makes them up. Whatever else is there is none of ours. */
export const fileId = /^[A-Za-z0-9]{22}$/

export interface StoredFile {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/**
 * Where a file may be. `current`: under the id of the database. `shared`: where versions before that put the files of
 * any database, so those there may be of another one. `removed`: set aside by the cleanup on a day, `2026-11-22`.
 */
export type FileLocation = 'current' | 'shared' | `removed/${string}`

export interface FileEntry {
  id: string
  location: FileLocation
  /** False while it is received, or of an upload that never ended. */
  isWhole: boolean
  /** Epoch seconds; not a number when the store doesn't say. */
  changedAt(): Promise<number>
}

/** Makes sure that so many bytes of storage are reserved, and gives how many are. What it throws ends the upload. */
export type ReserveBytes = (bytes: number) => Promise<number>

/**
 * Where the bytes of files are, by ids that the server makes up: no name that anybody sent is part of a path or key.
 * Every method throws `StoreUnavailable` when the store is away.
 */
export interface FileStore {
  /**
   * Stores what comes, whole and durably or not at all (R-UP-01, R-UP-03). Throws `FileTooLarge`, `StoreFull`. What is
   * left of a failure is removed at once where that is quick, and otherwise in the background.
   */
  receive(id: string, source: Readable, maxBytes: number, reserve?: ReserveBytes): Promise<StoredFile>
  /** All of it, or from the first to the last byte, both included. Throws `FileMissing`. */
  open(id: string, range?: { start: number; end: number }): Promise<Readable>
  /** Removes a current or shared file with all its parts. Nothing happens when there is none. */
  remove(id: string): Promise<void>
  /** Everything there is, what is half received too except in `shared`; some may come twice. */
  list(where: 'current' | 'shared' | 'removed'): AsyncIterable<FileEntry>
  /** Throws `FileMissing`. */
  move(id: string, from: FileLocation, to: FileLocation): Promise<void>
  /** Nothing happens when there is none. */
  removeFrom(id: string, location: FileLocation): Promise<void>
}

/** Counts and hashes a file while it comes. What a length in the request says doesn't matter. */
export class ReceivedBytes {
  readonly #hash: Hash = createHash('sha256')
  readonly #maxBytes: number
  readonly #reserve: ReserveBytes
  #reserved = 0
  #bytes = 0

  constructor(maxBytes: number, reserve: ReserveBytes = async () => Infinity) {
    this.#maxBytes = maxBytes
    this.#reserve = reserve
  }

  async *of(source: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      this.#bytes += chunk.length
      if (this.#bytes > this.#maxBytes) throw new FileTooLarge(`more than ${this.#maxBytes} bytes`)
      if (this.#bytes > this.#reserved) this.#reserved = await this.#reserve(this.#bytes)
      this.#hash.update(chunk)
      yield chunk
    }
  }

  /** Once all of it has come. */
  result(): StoredFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}
