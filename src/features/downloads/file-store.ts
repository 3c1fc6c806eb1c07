import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** The file is larger than it may be; nothing of it is left. */
export class FileTooLarge extends Error {}

/** The disk has no room; nothing of the file is left. */
export class StoreFull extends Error {}

export interface StoredFile {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/** Where the bytes of files are, by ids that the server makes up: no name that anybody sent is part of a path. */
export interface FileStore {
  /** Stores what comes, whole and durably or not at all (R-UP-01, R-UP-03). */
  receive(id: string, source: Readable, maxBytes: number): Promise<StoredFile>
  /** From the first to the last byte, both included. */
  open(id: string, start: number, end: number): Readable
  /** Nothing happens when there is none. */
  remove(id: string): Promise<void>
  /** The ids of everything there is, what is half received too. */
  ids(): AsyncIterable<string>
}

const unfinished = '.part'

export function diskStore(folder: string): FileStore {
  const path = (id: string) => join(folder, id)
  const partial = (id: string) => join(folder, id + unfinished)
  return {
    async receive(id, source, maxBytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        const stored = await writeDurably(partial(id), source, maxBytes)
        await rename(partial(id), path(id))
        await syncFolder(folder)
        return stored
      } catch (error) {
        await rm(partial(id), { force: true })
        throw isFull(error) ? new StoreFull('No room for the file', { cause: error }) : error
      }
    },
    open: (id, start, end) => createReadStream(path(id), { start, end }),
    async remove(id) {
      await Promise.all([rm(path(id), { force: true }), rm(partial(id), { force: true })])
    },
    async *ids() {
      const entries = await opendir(folder).catch(() => undefined)
      if (!entries) return
      for await (const { name } of entries) yield name.endsWith(unfinished) ? name.slice(0, -unfinished.length) : name
    },
  }
}

/** What a length in the request says doesn't matter: the bytes are counted as they come. */
async function writeDurably(path: string, source: Readable, maxBytes: number): Promise<StoredFile> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new FileTooLarge(`more than ${maxBytes} bytes`)
      hash.update(chunk)
      await writeAll(file, chunk)
    }
    await file.sync()
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

/** Otherwise a power cut may lose the new name of a file whose bytes are safe. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '')
