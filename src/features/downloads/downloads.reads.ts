import { type Selectable, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { planOfAccount } from '#features/plans/plans.reads.ts'
import { unlimited } from '#features/plans/plans.rules.ts'
import { bytesPerMb } from './downloads.rules.ts'
import type { DownloadsTable } from './downloads.table.ts'

export type Download = Selectable<DownloadsTable>

/** Newest first; few enough to be read at once, because an app has no more than `maxFilesPerApp`. */
export const listDownloads = (db: Reader, appId: string): Promise<Download[]> =>
  db
    .selectFrom('downloads')
    .selectAll()
    .where('app_id', '=', appId)
    .where('ready', '=', 1)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** By its id, or else by its name. */
export async function findDownload(db: Reader, appId: string, nameOrId: string): Promise<Download | undefined> {
  const files = db.selectFrom('downloads').selectAll().where('app_id', '=', appId).where('ready', '=', 1)
  return (
    (await files.where('id', '=', nameOrId).executeTakeFirst()) ??
    (await files.where('name', '=', nameOrId.trim()).executeTakeFirst())
  )
}

/** What the owner's files take, and what is reserved for those that are coming, in bytes. */
async function usedStorage(db: Reader, ownerId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('downloads')
    .select((select) => select.fn.sum<number>('size').as('bytes'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** What the owner's plan and the server leave for files. In bytes; -1 without a limit. */
export async function storageRoom(
  db: Reader,
  { ownerId }: { ownerId: string },
  { now, maxFileBytes }: { now: number; maxFileBytes: number },
) {
  const { storageMb } = (await planOfAccount(db, ownerId, now)).limits
  const storageBytes = storageMb === unlimited ? unlimited : storageMb * bytesPerMb
  return { storageBytes, usedBytes: await usedStorage(db, ownerId), maxFileBytes }
}

export type StorageRoom = Awaited<ReturnType<typeof storageRoom>>

export async function countFiles(db: Reader, appId: string): Promise<number> {
  const { n } = await db
    .selectFrom('downloads')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The file of a public link; one that waits for a scan, of an app or owner that is gone or banned there is none (R-AUTH-14). */
export const findPublicDownload = (db: Reader, id: string): Promise<Download | undefined> =>
  db
    .selectFrom('downloads as file')
    .innerJoin('apps as app', 'app.id', 'file.app_id')
    .innerJoin('accounts as owner', 'owner.id', 'app.owner_id')
    .selectAll('file')
    .where('file.id', '=', id)
    .where('file.ready', '=', 1)
    .where('file.active', '=', 1)
    .where('file.unscanned_since', 'is', null)
    .where('app.deleted_at', 'is', null)
    .where('owner.banned', '=', 0)
    .executeTakeFirst()

/** Whether somebody is signed in to this session of the app now. */
export async function isSignedIn(
  db: Reader,
  { appId, session, now }: { appId: string; session: string; now: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('client_sessions')
    .select('handle')
    .where('app_id', '=', appId)
    .where('handle', '=', session)
    .where('user_id', 'is not', null)
    .where('ended_code', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

interface FileEvents {
  appId: string
  downloadId: string
}

export async function countAddresses(db: Reader, { appId, downloadId }: FileEvents): Promise<number> {
  const { n } = await db
    .selectFrom('download_events')
    .select((select) => select.fn.count<number>('ip').distinct().as('n'))
    .where('app_id', '=', appId)
    .where('download_id', '=', downloadId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Downloads by country, most first. */
export async function countCountries(db: Reader, { appId, downloadId }: FileEvents): Promise<[string, number][]> {
  const rows = await db
    .selectFrom('download_events')
    .select((select) => ['country', select.fn.countAll<number>().as('n')] as const)
    .where('app_id', '=', appId)
    .where('download_id', '=', downloadId)
    .groupBy('country')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('country')
    .execute()
  return rows.map(({ country, n }) => [country, Number(n)])
}

/** Those of these ids that have a row, whether or not its file is whole. */
export async function listKnownIds(db: Reader, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('downloads')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Whole files after an id, in order, whoever owns them. */
export const listStoredFiles = (db: Reader, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('downloads')
    .select(['id', 'sha256'])
    .where('ready', '=', 1)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Uploads that never ended. A literal, because a partial index serves no parameter. */
export async function listUnfinished(db: Reader, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('downloads')
    .select('id')
    .where(sql<boolean>`ready = 0`)
    .where('created_at', '<', before)
    .execute()
  return rows.map(({ id }) => id)
}

/** How many files wait for a scan. */
export async function countUnscanned(db: Reader): Promise<number> {
  const { n } = await db
    .selectFrom('downloads')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('unscanned_since', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The app of a file that waits for a scan; undefined when there is no such file or it waits no more. */
export const findUnscanned = (db: Reader, id: string) =>
  db
    .selectFrom('downloads as file')
    .innerJoin('apps as app', 'app.id', 'file.app_id')
    .select(['app.id', 'app.owner_id as ownerId', 'app.name'])
    .where('file.id', '=', id)
    .where('file.unscanned_since', 'is not', null)
    .executeTakeFirst()
