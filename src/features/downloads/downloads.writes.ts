import { type Insertable, sql, type Transaction } from 'kysely'
import { deleteBatch } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import type { Schema } from '#database/schema.ts'
import type { Download } from './downloads.reads.ts'
import type { DownloadEventsTable, DownloadsTable } from './downloads.table.ts'

export async function insertDownload(trx: Transaction<Schema>, row: Insertable<DownloadsTable>): Promise<void> {
  await trx.insertInto('downloads').values(row).execute()
}

/** The file of this id, whole or not, locked until the transaction ends. */
export const lockDownload = (trx: Transaction<Schema>, id: string): Promise<Download | undefined> =>
  locking(trx, trx.selectFrom('downloads').selectAll().where('id', '=', id)).executeTakeFirst()

export const updateDownloadRow = (
  trx: Transaction<Schema>,
  id: string,
  change: Partial<Insertable<DownloadsTable>>,
): Promise<Download | undefined> =>
  trx.updateTable('downloads').set(change).where('id', '=', id).returningAll().executeTakeFirst()

export async function deleteDownloadRow(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.deleteFrom('downloads').where('id', '=', id).execute()
}

export async function addDownloads(
  trx: Transaction<Schema>,
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

export async function insertEvents(
  trx: Transaction<Schema>,
  rows: readonly Insertable<DownloadEventsTable>[],
): Promise<void> {
  await trx.insertInto('download_events').values(rows).execute()
}

/** At most `limit` events that are older; how many there were. */
export const deleteEventsBefore = (
  trx: Transaction<Schema>,
  { before, limit }: { before: number; limit: number },
): Promise<number> => deleteBatch(trx, 'download_events', sql`at < ${before} order by at`, limit)

const maxReleased = 200

/** Some of the files that wait for a scan, now that there is no scanner; whether there may be more. */
export async function releaseUnscanned(trx: Transaction<Schema>): Promise<boolean> {
  const waiting = trx
    .selectFrom('downloads')
    .select('id')
    .where('unscanned_since', 'is not', null)
    .orderBy('unscanned_since')
    .limit(maxReleased)
  const { numUpdatedRows } = await trx
    .updateTable('downloads')
    .set({ unscanned_since: null })
    .where('id', 'in', waiting)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) === maxReleased
}
