import { type Insertable, sql } from 'kysely'
import type { Database, Transaction } from '#database/database.ts'
import { deleteInBatches, deleteRows } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import type { Download } from './downloads.reads.ts'
import type { DownloadEventsTable, DownloadsTable } from './downloads.table.ts'

export async function insertDownload(trx: Transaction, row: Insertable<DownloadsTable>): Promise<void> {
  await trx.insertInto('downloads').values(row).execute()
}

/** The file with this ID, complete or not, locked until the transaction ends. */
export const lockDownload = (trx: Transaction, id: string): Promise<Download | undefined> =>
  locking(trx, trx.selectFrom('downloads').selectAll().where('id', '=', id)).executeTakeFirst()

export const updateDownloadRow = (
  trx: Transaction,
  id: string,
  change: Partial<Insertable<DownloadsTable>>,
): Promise<Download | undefined> =>
  trx.updateTable('downloads').set(change).where('id', '=', id).returningAll().executeTakeFirst()

export async function deleteDownloadRow(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('downloads').where('id', '=', id).execute()
}

/** Returns false if the app has a file of that name again. */
export async function insertDeletedDownload(trx: Transaction, row: Download): Promise<boolean> {
  const result = await trx
    .insertInto('downloads')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app_id', 'name']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

/** Deletes files for good; their triggers have the bytes removed. */
export const deleteBinItems = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'bin_items', appId, { column: 'id', values })

/** For an upload whose row may already be deleted, along with the record its trigger created. */
export async function recordDeletedFile(trx: Transaction, id: string): Promise<void> {
  await trx
    .insertInto('deleted_files')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Call after their bytes have been removed. */
export async function forgetDeletedFiles(trx: Transaction, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('deleted_files')
    .where('id', 'in', [...ids])
    .execute()
}

export async function addDownloads(
  trx: Transaction,
  id: string,
  { total, authenticated }: { total: number; authenticated: number },
): Promise<void> {
  await trx
    .updateTable('downloads')
    .set((row) => ({
      download_count: row('download_count', '+', total),
      authenticated_count: row('authenticated_count', '+', authenticated),
    }))
    .where('id', '=', id)
    .execute()
}

export async function insertEvents(trx: Transaction, rows: readonly Insertable<DownloadEventsTable>[]): Promise<void> {
  await trx.insertInto('download_events').values(rows).execute()
}

/** Deletes events older than `before` (epoch seconds). */
export const deleteEventsBefore = (db: Pick<Database, 'write'>, before: number): Promise<void> =>
  deleteInBatches(db, 'download_events', sql`at < ${before} order by at`)

/** Like `deleteEventsBefore`, for incomplete downloads. */
export const deleteProgressBefore = (db: Pick<Database, 'write'>, before: number): Promise<void> =>
  deleteInBatches(db, 'download_progress', sql`at < ${before} order by at`)

/** Uploads begun before then and never finished; with a literal, because a parameter cannot use a partial index. */
export async function deleteUnfinished(trx: Transaction, before: number): Promise<void> {
  await trx
    .deleteFrom('downloads')
    .where(sql<boolean>`ready = 0`)
    .where('created_at', '<', before)
    .execute()
}

interface ProgressKey {
  appId: string
  downloadId: string
}

/** Discards the partial downloads of these addresses. */
export async function deleteProgress(
  trx: Transaction,
  { appId, downloadId }: ProgressKey,
  ips: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('download_progress')
    .where('app_id', '=', appId)
    .where('download_id', '=', downloadId)
    .where('ip', 'in', [...ips])
    .execute()
}

/** The ranges of a file an address has received so far, locked until the transaction ends; empty at first. */
export async function lockProgress(
  trx: Transaction,
  { appId, downloadId, ip, at }: ProgressKey & { ip: string; at: number },
): Promise<string> {
  await trx
    .insertInto('download_progress')
    .values({ app_id: appId, download_id: downloadId, ip, sent: '', at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = trx
    .selectFrom('download_progress')
    .select('sent')
    .where('app_id', '=', appId)
    .where('download_id', '=', downloadId)
    .where('ip', '=', ip)
  return (await locking(trx, row).executeTakeFirstOrThrow()).sent
}

export async function updateProgress(
  trx: Transaction,
  { appId, downloadId, ip, ...change }: ProgressKey & { ip: string; sent: string; at: number },
): Promise<void> {
  await trx
    .updateTable('download_progress')
    .set(change)
    .where('app_id', '=', appId)
    .where('download_id', '=', downloadId)
    .where('ip', '=', ip)
    .execute()
}

const maxReleased = 200

/** Releases some of the files waiting for a scan when there is no scanner; returns their apps, and whether there may be more. */
export async function releaseUnscanned(trx: Transaction): Promise<{ appIds: string[]; hasMore: boolean }> {
  const waiting = trx
    .selectFrom('downloads')
    .select('id')
    .where('unscanned_since', 'is not', null)
    .orderBy('unscanned_since')
    .limit(maxReleased)
  const released = await trx
    .updateTable('downloads')
    .set({ unscanned_since: null })
    .where('id', 'in', waiting)
    .returning('app_id')
    .execute()
  const appIds = [...new Set(released.map(({ app_id: appId }) => appId))]
  return { appIds, hasMore: released.length === maxReleased }
}
