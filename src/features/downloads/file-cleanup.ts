import type { Database } from '#database/database.ts'
import type { Services } from '#server/services.ts'
import { listDeletedFiles, listKnownIds } from './downloads.reads.ts'
import { forgetDeletedFiles } from './downloads.writes.ts'
import { type FileEntry, FileMissing, type FileStore } from './file-store.ts'
import type { Removals } from './removals.ts'

/** Reconciles the files of a store with the rows of its database. */
export interface FileCleanup {
  db: Pick<Database, 'read' | 'write'>
  store: FileStore
  log: Pick<Services['log'], 'error'>
  /** Epoch seconds. */
  now: number
}

const daySeconds = 86_400
/** Minimum age of a file without a row before cleanup: longer than any upload, even with clock skew. */
const minAgeSeconds = daySeconds
/** How long a file that was set aside can be restored. */
export const removedDays = 30
/** More files without a row than both limits indicate the wrong database rather than leftovers. */
const maxOrphans = 20
const maxOrphanShare = 0.1
const idsPerQuery = 500

export interface Orphans {
  /** Complete files of this database, with or without a row. */
  files: number
  /** Complete files without a row, older than a day. */
  ids: string[]
  /** Incomplete files without a row, older than a day. */
  unfinished: string[]
}

/** This many are set aside only by command of the operator. */
export const areTooMany = ({ files, ids }: Orphans): boolean =>
  ids.length > maxOrphans && ids.length > files * maxOrphanShare

/** Deletes the bytes of files whose row was deleted on purpose. */
export async function removeDeletedFiles({ db }: Pick<FileCleanup, 'db'>, removals: Removals): Promise<void> {
  for (let after = ''; ;) {
    const ids = await listDeletedFiles(db.read, { after, limit: idsPerQuery })
    const last = ids.at(-1)
    if (last === undefined) return
    const removed = await removals.remove(ids)
    if (removed.length > 0) await db.write((tx) => forgetDeletedFiles(tx.db, removed))
    after = last
  }
}

/**
 * Moves files of the previous layout under the ID of the database that has their rows; others stay for their own
 * database.
 */
export async function adoptSharedFiles(cleanup: FileCleanup): Promise<void> {
  for await (const { known } of byKnown(cleanup, 'shared')) {
    for (const { id } of known) await moveFile(cleanup, id, 'shared', 'current')
  }
}

/** Restores files that were set aside and have a row again, as after a restore; deletes the others after 30 days. */
export async function settleRemovedFiles(cleanup: FileCleanup, removals: Removals): Promise<void> {
  const expired = dayOf(cleanup.now - removedDays * daySeconds)
  for await (const { known, unknown } of byKnown(cleanup, 'removed')) {
    for (const { id, location } of known) await moveFile(cleanup, id, location, 'current')
    for (const { id, location } of unknown) {
      if (location < `removed/${expired}`) await removals.removeFrom(id, location)
    }
  }
}

export async function findOrphans(cleanup: FileCleanup): Promise<Orphans> {
  const orphans: Orphans = { files: 0, ids: [], unfinished: [] }
  for await (const { known, unknown } of byKnown(cleanup, 'current')) {
    orphans.files += [...known, ...unknown].filter(({ isWhole }) => isWhole).length
    for (const { id, isWhole, changedAt } of unknown) {
      const isOld = (await changedAt()) < cleanup.now - minAgeSeconds
      if (isOld) (isWhole ? orphans.ids : orphans.unfinished).push(id)
    }
  }
  return orphans
}

/** Returns the number of moved files; failures stay in place. */
export async function setAsideOrphans(cleanup: FileCleanup, { ids }: Orphans): Promise<number> {
  let moved = 0
  for (const id of ids) if (await moveFile(cleanup, id, 'current', `removed/${dayOf(cleanup.now)}`)) moved += 1
  return moved
}

async function moveFile(
  { store, log }: FileCleanup,
  id: string,
  from: FileEntry['location'],
  to: FileEntry['location'],
): Promise<boolean> {
  try {
    await store.move(id, from, to)
    return true
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof FileMissing)) log.error({ err: error, file: id, from, to }, 'could not move a file')
    return false
  }
}

/** Files of a location in batches, by whether they have a row. A row is created before its file. */
async function* byKnown(
  { db, store }: FileCleanup,
  where: Parameters<FileStore['list']>[0],
): AsyncGenerator<{ known: FileEntry[]; unknown: FileEntry[] }> {
  let entries: FileEntry[] = []
  const split = async () => {
    const ids = await listKnownIds(
      db.read,
      entries.map(({ id }) => id),
    )
    return {
      known: entries.filter(({ id }) => ids.has(id)),
      unknown: entries.filter(({ id }) => !ids.has(id)),
    }
  }
  for await (const entry of store.list(where)) {
    entries.push(entry)
    if (entries.length < idsPerQuery) continue
    yield await split()
    entries = []
  }
  yield await split()
}

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
