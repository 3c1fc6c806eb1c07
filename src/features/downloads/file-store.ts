import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'

/** The file is larger than it may be; nothing of it is left. */
export class FileTooLarge extends Error {}

/** The store has no room; nothing of the file is left. */
export class StoreFull extends Error {}

/** The store can't be reached or doesn't do what it should; the same may work a moment later. */
export class StoreUnavailable extends Error {}

/** The store has no such file. */
export class FileMissing extends Error {}

export interface StoredFile {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/**
 * Where the bytes of files are, by ids that the server makes up: no name that anybody sent is part of a path or key.
 * Every method throws `StoreUnavailable` when the store is away.
 */
export interface FileStore {
  /** Stores what comes, whole and durably or not at all (R-UP-01, R-UP-03). Throws `FileTooLarge`, `StoreFull`. */
  receive(id: string, source: Readable, maxBytes: number): Promise<StoredFile>
  /** All of it, or from the first to the last byte, both included. Throws `FileMissing`. */
  open(id: string, range?: { start: number; end: number }): Promise<Readable>
  /** Nothing happens when there is none. */
  remove(id: string): Promise<void>
  /** The ids of everything there is, what is half received too; some may come twice. */
  ids(): AsyncIterable<string>
}

/** Counts and hashes a file while it comes. What a length in the request says doesn't matter. */
export class ReceivedBytes {
  readonly #hash: Hash = createHash('sha256')
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async *of(source: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      this.#bytes += chunk.length
      if (this.#bytes > this.#maxBytes) throw new FileTooLarge(`more than ${this.#maxBytes} bytes`)
      this.#hash.update(chunk)
      yield chunk
    }
  }

  /** Once all of it has come. */
  result(): StoredFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}
