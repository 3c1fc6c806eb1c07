import { type CallError, callError } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { withoutPlanFeature } from '#features/plans/plans.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { type DeletedRow, newRowNumber, putInBin } from '#server/bin/bin-items.ts'
import { enqueueScan } from './download-scans.ts'
import { countFiles, type Download, listOldestInBin, storageQuota, usedBinStorage } from './downloads.reads.ts'
import { downloadsErrors } from './downloads.errors.ts'
import { bytesLeft, maxFilesPerApp, megabytes } from './downloads.rules.ts'
import { deleteBinItems, insertDeletedDownload } from './downloads.writes.ts'

/** A file in the bin. Its bytes stay in the store. */
export type DeletedDownload = Omit<Download, 'app_id'>

/**
 * Puts a locked file into the bin, before its row is deleted. The account of the owner is locked. `remove` deletes the
 * bytes of older files without room there, after the commit.
 */
export async function putDownloadInBin(
  tx: Tx,
  context: AppContext,
  file: Download,
  { operation, remove }: { operation: string; remove: (id: string) => void },
): Promise<void> {
  const { app_id: _app, ...content } = file
  const row: DeletedRow<DeletedDownload> = {
    id: newRowNumber(),
    key: file.id,
    bytes: Number(file.size),
    name: file.name,
    content,
  }
  await putInBin(tx, context, { kind: 'file', operation, rows: [row] })
  const displaced = await makeRoomInBin(tx, context, file.id)
  tx.afterCommit(() => displaced.forEach(remove))
}

const itemsPerRead = 100

/**
 * The files in an owner's bins take at most as much as the plan allows for files, more of which could not be restored
 * either: the oldest are deleted for good. Otherwise, uploading and deleting would fill the store. Returns their IDs.
 */
async function makeRoomInBin(tx: Tx, context: AppContext, newest: string): Promise<string[]> {
  const displaced: string[] = []
  const { app, now } = context
  const { storageBytes } = await storageQuota(tx.db, app, { now, maxFileBytes: Infinity })
  if (storageBytes < 0) return displaced
  for (let used = await usedBinStorage(tx.db, app.ownerId); used > storageBytes;) {
    const oldest = await listOldestInBin(tx.db, { ownerId: app.ownerId, except: newest, limit: itemsPerRead })
    if (oldest.length === 0) break
    const removed = []
    for (const item of oldest) {
      if (used <= storageBytes) break
      removed.push(item)
      displaced.push(item.fileId)
      used -= Number(item.bytes)
    }
    for (const [appId, items] of Map.groupBy(removed, (item) => item.appId)) {
      await deleteBinItems(
        tx.db,
        appId,
        items.map(({ id }) => id),
      )
      const target = { noun: 'items', names: items.map(({ name }) => name) }
      const where = { id: appId, ownerId: app.ownerId, name: items[0]?.appName ?? '' }
      await recordAudit(
        tx,
        { ...context, app: where, actor: { type: 'system' } },
        { act: 'bin.delete', target, ownerId: app.ownerId },
      )
    }
  }
  return displaced
}

/**
 * Restores deleted files as far as names, the plan, and the app have room; returns the reasons for the others. The
 * account of the owner is locked.
 */
export async function restoreDownloads(
  tx: Tx,
  { app, now }: AppContext,
  deleted: readonly DeletedRow<DeletedDownload>[],
): Promise<Map<number, CallError>> {
  const problems = await withoutPlanFeature(tx.db, { ownerId: app.ownerId, feature: 'file_upload', now }, deleted)
  if (problems.size > 0) return problems
  const quota = await storageQuota(tx.db, app, { now, maxFileBytes: Infinity })
  let count = await countFiles(tx.db, app.id)
  for (const { id: number, content } of deleted) {
    const { id, size, unscanned_since: unscanned } = content
    if (Number(size) > bytesLeft(quota)) {
      const values = { limitMb: megabytes(quota.storageBytes) }
      problems.set(number, callError(downloadsErrors, 'STORAGE_LIMIT_REACHED', { values }))
    } else if (count >= maxFilesPerApp) {
      problems.set(number, callError(downloadsErrors, 'DOWNLOAD_LIMIT_REACHED', { values: { limit: maxFilesPerApp } }))
    } else if (await insertDeletedDownload(tx.db, { ...content, app_id: app.id })) {
      count += 1
      quota.usedBytes += Number(size)
      // Its scan ended with the deletion.
      if (unscanned !== null) await enqueueScan(tx, { id, ownerId: app.ownerId, now })
    } else problems.set(number, callError(downloadsErrors, 'DOWNLOAD_NAME_TAKEN'))
  }
  return problems
}
