import type { Database } from '#database/database.ts'
import type { Services } from '#server/services.ts'
import { listDeletedFiles, listKnownIds } from './downloads.reads.ts'
import { forgetDeletedFiles } from './downloads.writes.ts'
import { type FileEntry, FileMissing, type FileStore } from './file-store.ts'

/** What the files of a store and the rows of its database have to do with each other. */
export interface FileCleanup {
  db: Pick<Database, 'read' | 'write'>
  store: FileStore
  log: Pick<Services['log'], 'error'>
  /** Epoch seconds. */
  now: number
}

const daySeconds = 86_400
/** How old a file without a row must be: no upload takes as long, whatever the clocks say. */
const minAgeSeconds = daySeconds
/** How long a file that was set aside can be brought back. */
export const removedDays = 30
/** More files without a row than both are no leftovers, but a sign of the wrong database. */
const maxOrphans = 20
const maxOrphanShare = 0.1
const idsPerQuery = 500

export interface Orphans {
  /** Whole files of this database, with a row or without. */
  files: number
  /** Those without a row that are older than a day. */
  ids: string[]
  /** Half files without a row that are older than a day. */
  unfinished: string[]
}

/** So many at once are set aside only when an operator says so. */
export const areTooMany = ({ files, ids }: Orphans): boolean =>
  ids.length > maxOrphans && ids.length > files * maxOrphanShare

/** Removes the bytes of files whose row was deleted: that was on purpose, so nothing of them is retained. */
export async function removeDeletedFiles({ db, store }: FileCleanup): Promise<void> {
  for (let after = ''; ;) {
    const ids = await listDeletedFiles(db.read, { after, limit: idsPerQuery })
    const last = ids.at(-1)
    if (last === undefined) return
    for (const id of ids) await store.remove(id)
    await db.write((tx) => forgetDeletedFiles(tx.db, ids))
    after = last
  }
}

/** Files of before this layout go under the id of the database that knows them; others stay for the one that does. */
export async function adoptSharedFiles(cleanup: FileCleanup): Promise<void> {
  for await (const { known } of byKnown(cleanup, 'shared')) {
    for (const { id } of known) await moveFile(cleanup, id, 'shared', 'current')
  }
}

/** Brings back what was set aside and is known again, as after a restore; after 30 days the others are deleted. */
export async function settleRemovedFiles(cleanup: FileCleanup): Promise<void> {
  const expired = dayOf(cleanup.now - removedDays * daySeconds)
  for await (const { known, unknown } of byKnown(cleanup, 'removed')) {
    for (const { id, location } of known) await moveFile(cleanup, id, location, 'current')
    for (const { id, location } of unknown) {
      if (location < `removed/${expired}`) await cleanup.store.removeFrom(id, location)
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

/** Gives how many were moved; what fails stays where it is. */
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

/** What is in a location, in batches, by whether it has a row. A row is there before its file. */
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
