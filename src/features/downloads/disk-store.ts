import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '#database/sync-folder.ts'
import {
  type FileEntry,
  fileId,
  type FileLocation,
  FileMissing,
  type FileStore,
  ReceivedBytes,
  type ReserveBytes,
  type StoredFile,
  StoreFull,
  StoreUnavailable,
} from './file-store.ts'

const unfinished = '.part'

/** Files in a local folder: `<folder>/<database id>/<id>`. */
export function diskStore(folder: string, databaseId: string | undefined): FileStore {
  const current = databaseId === undefined ? folder : join(folder, databaseId)
  const folderOf = (location: FileLocation) =>
    location === 'current' ? current : location === 'shared' ? folder : join(current, location)
  const pathOf = (id: string, location: FileLocation) => join(folderOf(location), id)
  const path = (id: string) => pathOf(id, 'current')
  const partial = (id: string) => path(id) + unfinished
  return {
    async receive(id, source, maxBytes, { reserve } = {}) {
      try {
        await mkdir(current, { recursive: true, mode: 0o700 })
        const stored = await writeDurably(partial(id), source, { maxBytes, reserve })
        await rename(partial(id), path(id))
        await syncFolder(current)
        return stored
      } catch (error) {
        await rm(partial(id), { force: true }).catch(() => {})
        throw explained(error)
      }
    },
    async open(id, range) {
      const file = (await openIfThere(path(id))) ?? (await openIfThere(pathOf(id, 'shared')))
      if (!file) throw new FileMissing(`There is no file ${id}`)
      return file.createReadStream(range)
    },
    async remove(id) {
      const paths = [path(id), partial(id), pathOf(id, 'shared'), pathOf(id, 'shared') + unfinished]
      await onDisk(Promise.all(paths.map((each) => rm(each, { force: true }))))
    },
    async *list(where) {
      if (where !== 'removed') return yield* entriesOf(folderOf(where), where)
      for (const day of (await onDisk(namesIn(join(current, 'removed')))).filter((name) => isDay.test(name))) {
        yield* entriesOf(join(current, 'removed', day), `removed/${day}`)
      }
    },
    async move(id, from, to) {
      await onDisk(mkdir(folderOf(to), { recursive: true, mode: 0o700 }))
      await rename(pathOf(id, from), pathOf(id, to)).catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT' ? new FileMissing(`There is no file ${id}`) : explained(error)
      })
      await onDisk(syncFolder(folderOf(to)))
    },
    async removeFrom(id, location) {
      await onDisk(rm(pathOf(id, location), { force: true }))
      // Fails while the folder of that day contains other files.
      if (location.startsWith('removed/')) await rmdir(dirname(pathOf(id, location))).catch(() => {})
    },
  }
}

async function* entriesOf(folder: string, location: FileLocation): AsyncGenerator<FileEntry> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw explained(error)
  })
  if (!entries) return
  for await (const { name } of entries) {
    const isWhole = !name.endsWith(unfinished)
    const id = isWhole ? name : name.slice(0, -unfinished.length)
    // An incomplete file in `shared` may be an upload to a process of an older version.
    if (!fileId.test(id) || (!isWhole && location === 'shared')) continue
    yield { id, location, isWhole, changedAt: () => changedAt(join(folder, name)) }
  }
}

/** Systems and operators leave files of their own in folders. */
const isDay = /^\d{4}-\d\d-\d\d$/

const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs / 1000,
    // The file has been deleted meanwhile.
    () => NaN,
  )

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })

const openIfThere = (path: string): Promise<FileHandle | undefined> =>
  open(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw explained(error)
    return undefined
  })

const onDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw explained(error)
  })

async function writeDurably(
  path: string,
  source: Readable,
  { maxBytes, reserve }: { maxBytes: number; reserve: ReserveBytes | undefined },
): Promise<StoredFile> {
  const received = new ReceivedBytes(maxBytes, reserve)
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

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** Translates disk errors; a disconnected sender is not a disk error. */
function explained(error: unknown): unknown {
  if (fullCodes.has(codeOf(error))) return new StoreFull('No room for the file', { cause: error })
  const isOfDisk = (error as NodeJS.ErrnoException).path !== undefined || diskCodes.has(codeOf(error))
  return isOfDisk ? new StoreUnavailable('The disk can not be used', { cause: error }) : error
}

const diskCodes = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE'])
