import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { planOfAccount } from '#features/plans/plans.reads.ts'
import { unlimited } from '#features/plans/plans.rules.ts'
import { bytesPerMb } from './downloads.rules.ts'
import type { DownloadsTable } from './downloads.table.ts'

export type Download = Selectable<DownloadsTable>

/** Newest first; can be read at once, because an app has at most `maxFilesPerApp` files. */
export const listDownloads = (db: Reader, appId: string): Promise<Download[]> =>
  db
    .selectFrom('downloads')
    .selectAll()
    .where('app_id', '=', appId)
    .where('ready', '=', 1)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** By ID, otherwise by name. */
export async function findDownload(db: Reader, appId: string, nameOrId: string): Promise<Download | undefined> {
  const files = db.selectFrom('downloads').selectAll().where('app_id', '=', appId).where('ready', '=', 1)
  return (
    (await files.where('id', '=', nameOrId).executeTakeFirst()) ??
    (await files.where('name', '=', nameOrId.trim()).executeTakeFirst())
  )
}

/** Bytes used by the owner's files and reserved for uploads in progress. */
export async function usedStorage(db: Reader, ownerId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('downloads')
    .select((select) => select.fn.sum<number>('size').as('bytes'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** The storage limit of the owner's plan (-1 for unlimited), the used storage, and the maximum file size, in bytes. */
export async function storageQuota(
  db: Reader,
  { ownerId }: { ownerId: string },
  { now, maxFileBytes }: { now: number; maxFileBytes: number },
) {
  const { storageMb } = (await planOfAccount(db, ownerId, now)).limits
  const storageBytes = storageMb === unlimited ? unlimited : storageMb * bytesPerMb
  return { storageBytes, usedBytes: await usedStorage(db, ownerId), maxFileBytes }
}

export type StorageQuota = Awaited<ReturnType<typeof storageQuota>>

/** The same with what the deleted files take, which does not count against the plan. */
export const storageQuotaAndBin = async (
  db: Reader,
  owner: { ownerId: string },
  limits: { now: number; maxFileBytes: number },
) => ({ ...(await storageQuota(db, owner, limits)), deletedBytes: await usedBinStorage(db, owner.ownerId) })

export const countFiles = (db: Reader, appId: string): Promise<number> =>
  countAll(db.selectFrom('downloads').where('app_id', '=', appId))

/**
 * The file of a public link; undefined if it is incomplete or waiting for a scan, or if the file, app or owner is
 * deleted, disabled or banned.
 */
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
    .where('file.incomplete_since', 'is', null)
    .where('app.deleted_at', 'is', null)
    .where('app.app_status', '=', 1)
    .where('owner.banned', '=', 0)
    .executeTakeFirst()

/** The user who is signed in to this session of the app; undefined if there is none, or one banned or paused. */
export async function findSignedInUser(
  db: Reader,
  { appId, session, now }: { appId: string; session: string; now: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('client_sessions as session')
    .innerJoin('users as user', (join) =>
      join.onRef('user.app_id', '=', 'session.app_id').onRef('user.id', '=', 'session.user_id'),
    )
    .select('user.username')
    .where('session.app_id', '=', appId)
    .where('session.handle', '=', session)
    .where('session.ended_code', 'is', null)
    .where('session.expires_at', '>', now)
    .where('user.banned', '=', 0)
    .where('user.paused', '=', 0)
    .executeTakeFirst()
  return row?.username
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

/** Downloads by country, highest count first. */
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

/** Bytes of the files in the bins of the owner's apps. */
export async function usedBinStorage(db: Reader, ownerId: string): Promise<number> {
  const { bytes } = await filesInBins(db, ownerId)
    .select((select) => select.fn.sum<number>('item.bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** The files that were first put into the bins of the owner's apps. */
export const listOldestInBin = (
  db: Reader,
  { ownerId, except, limit }: { ownerId: string; except: string; limit: number },
) =>
  filesInBins(db, ownerId)
    .where('item.row_key', '<>', except)
    .select(['item.id', 'item.row_key as fileId', 'item.name', 'item.bytes', 'app.id as appId', 'app.name as appName'])
    .$narrowType<{ fileId: string }>()
    .orderBy('item.deleted_at')
    .orderBy('item.id')
    .limit(limit)
    .execute()

const filesInBins = (db: Reader, ownerId: string) =>
  db
    .selectFrom('apps as app')
    .innerJoin('bin_items as item', 'item.app_id', 'app.id')
    .where('app.owner_id', '=', ownerId)
    .where('item.kind', '=', 'file')
    .where('item.row_key', 'is not', null)

/**
 * The given IDs that have a row or are in the bin: in one statement, because between two of them a file may be deleted
 * or restored.
 */
export const listKnownIds = (db: Reader, ids: readonly string[]): Promise<Set<string>> =>
  idsOf(ids, withRow(db, ids).unionAll(inBin(db, ids)))

/** The given IDs that have a row, whether or not the file is complete. */
export const listIdsWithRow = (db: Reader, ids: readonly string[]): Promise<Set<string>> => idsOf(ids, withRow(db, ids))

const withRow = (db: Reader, ids: readonly string[]) =>
  db
    .selectFrom('downloads')
    .select((row) => row.ref('id').$castTo<string | null>().as('id'))
    .where('id', 'in', [...ids])

const inBin = (db: Reader, ids: readonly string[]) =>
  db
    .selectFrom('bin_items')
    .select('row_key as id')
    .where('row_key', 'in', [...ids])
    .where('kind', '=', 'file')

async function idsOf(
  given: readonly string[],
  query: { execute(): Promise<{ id: string | null }[]> },
): Promise<Set<string>> {
  if (given.length === 0) return new Set()
  return new Set((await query.execute()).flatMap(({ id }) => id ?? []))
}

/** Files with a deleted row whose bytes may still exist, after an ID, sorted by ID. */
export async function listDeletedFiles(
  db: Reader,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('deleted_files')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Complete files of all owners after an ID, sorted by ID. */
export const listStoredFiles = (db: Reader, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('downloads')
    .select(['id', 'sha256'])
    .where('ready', '=', 1)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The same of the files in the bin. */
export async function listStoredFilesInBin(db: Reader, { after, limit }: { after: string; limit: number }) {
  const items = await db
    .selectFrom('bin_items')
    .select(['row_key', 'content'])
    .where('row_key', '>', after)
    .where('kind', '=', 'file')
    .orderBy('row_key')
    .limit(limit)
    .execute()
  return items.map(({ row_key: id, content }) => ({
    id: id ?? '',
    sha256: (JSON.parse(content) as Pick<Download, 'sha256'>).sha256,
  }))
}

/** Uploads not completed since `before` (epoch seconds), with their app; for `reports`. */
export const listIncomplete = (db: Reader, { before, limit }: { before: number; limit: number }) =>
  db
    .selectFrom('downloads as file')
    .innerJoin('apps as app', 'app.id', 'file.app_id')
    .select(['file.id', 'app.id as appId', 'app.owner_id as ownerId', 'app.name as appName'])
    .where('file.incomplete_since', 'is not', null)
    .where('file.incomplete_since', '<', before)
    .orderBy('file.incomplete_since')
    .limit(limit)
    .execute()

/** Number of files waiting for a scan. */
export const countUnscanned = (db: Reader): Promise<number> =>
  countAll(db.selectFrom('downloads').where('unscanned_since', 'is not', null))

/** The app of a file that is waiting for a scan; undefined if there is no such file, or it is no longer waiting. */
export const findUnscanned = (db: Reader, id: string) =>
  db
    .selectFrom('downloads as file')
    .innerJoin('apps as app', 'app.id', 'file.app_id')
    .select(['app.id', 'app.owner_id as ownerId', 'app.name'])
    .where('file.id', '=', id)
    .where('file.unscanned_since', 'is not', null)
    .executeTakeFirst()
