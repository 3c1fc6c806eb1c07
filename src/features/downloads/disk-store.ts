import { type FileHandle, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  FileMissing,
  type FileStore,
  ReceivedBytes,
  type StoredFile,
  StoreFull,
  StoreUnavailable,
} from './file-store.ts'

const unfinished = '.part'

/** Files in a folder of this machine. */
export function diskStore(folder: string): FileStore {
  const path = (id: string) => join(folder, id)
  const partial = (id: string) => join(folder, id + unfinished)
  return {
    async receive(id, source, maxBytes) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const stored = await writeDurably(partial(id), source, maxBytes)
        await rename(partial(id), path(id))
        await syncFolder(folder)
        return stored
      } catch (error) {
        await rm(partial(id), { force: true }).catch(() => {})
        throw explained(error)
      }
    },
    async open(id, range) {
      const file = await open(path(id)).catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT' ? new FileMissing(`There is no file ${id}`) : explained(error)
      })
      return file.createReadStream(range)
    },
    async remove(id) {
      const removals = [path(id), partial(id)].map((each) => rm(each, { force: true }))
      await Promise.all(removals).catch((error: unknown) => {
        throw explained(error)
      })
    },
    async *ids() {
      const entries = await opendir(folder).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw explained(error)
      })
      if (!entries) return
      for await (const { name } of entries) yield name.endsWith(unfinished) ? name.slice(0, -unfinished.length) : name
    },
  }
}

async function writeDurably(path: string, source: Readable, maxBytes: number): Promise<StoredFile> {
  const received = new ReceivedBytes(maxBytes)
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of received.of(source)) await writeAll(file, chunk)
    await file.sync()
    return received.result()
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

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** What the operating system says of the disk; a sender who left is no fault of it. */
function explained(error: unknown): unknown {
  if (fullCodes.has(codeOf(error))) return new StoreFull('No room for the file', { cause: error })
  const isOfDisk = (error as NodeJS.ErrnoException).path !== undefined || diskCodes.has(codeOf(error))
  return isOfDisk ? new StoreUnavailable('The disk can not be used', { cause: error }) : error
}

const diskCodes = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE'])
