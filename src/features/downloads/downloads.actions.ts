import { reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { lockAccount } from '#features/accounts/accounts.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf, changesOf } from '#server/audit/changes.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { maxFormBytes } from '#server/http/upload-form.ts'
import { putDownloadInBin } from './deleted-downloads.actions.ts'
import { enqueueScan } from './download-scans.ts'
import { countFiles, type Download, findDownload, type StorageQuota, storageQuota } from './downloads.reads.ts'
import { downloadsErrors } from './downloads.errors.ts'
import {
  bytesLeft,
  downloadDescriptionProblem,
  downloadNameProblem,
  fileSizeProblem,
  maxFilesPerApp,
  reservedBytes,
} from './downloads.rules.ts'
import {
  deleteDownloadRow,
  insertDownload,
  lockDownload,
  recordDeletedFile,
  updateDownloadRow,
} from './downloads.writes.ts'
import type { StoredFile } from './file-store.ts'

interface Announced {
  id: string
  /** Size of the whole form, according to the request's head. */
  announcedBytes: number | undefined
  maxFileBytes: number
}

/**
 * Reserves storage before the first byte of a file is read. The owner's row is locked, so that parallel uploads count
 * each other's reservations. An upload with a known length reserves all of it, others reserve step by step.
 * Returns the maximum size of the file.
 */
export async function reserveStorage(
  tx: Tx,
  { app, now }: AppContext,
  { id, announcedBytes, maxFileBytes }: Announced,
): Promise<{ maxBytes: number; reserved: number; quota: StorageQuota }> {
  await lockAccount(tx, app.ownerId)
  const quota = await storageQuota(tx.db, app, { now, maxFileBytes })
  const atLeast = announcedBytes === undefined ? 1 : announcedBytes - maxFormBytes
  rejectProblem(downloadsErrors, fileSizeProblem(Math.max(1, atLeast), quota))
  if ((await countFiles(tx.db, app.id)) >= maxFilesPerApp) {
    reject(downloadsErrors, 'DOWNLOAD_LIMIT_REACHED', { values: { limit: maxFilesPerApp } })
  }
  const maxBytes = Math.min(bytesLeft(quota), announcedBytes ?? Infinity)
  const reserved = announcedBytes === undefined ? reservedBytes(0, quota) : maxBytes
  await insertDownload(tx.db, {
    ...idle,
    id,
    app_id: app.id,
    owner_id: app.ownerId,
    name: id,
    size: reserved,
    created_at: now,
  })
  return { maxBytes, reserved, quota }
}

/** Reserves more for an upload of unknown length. Returns the total reservation. */
export async function extendReservation(
  tx: Tx,
  { app, now }: AppContext,
  { id, bytes, maxFileBytes }: { id: string; bytes: number; maxFileBytes: number },
): Promise<number> {
  await lockAccount(tx, app.ownerId)
  const file = await lockDownload(tx.db, id)
  // The app was deleted meanwhile.
  if (!file) reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND')
  const all = await storageQuota(tx.db, app, { now, maxFileBytes })
  const quota = { ...all, usedBytes: all.usedBytes - Number(file.size) }
  rejectProblem(downloadsErrors, fileSizeProblem(bytes, quota))
  const size = reservedBytes(bytes, quota)
  await updateDownloadRow(tx.db, id, { size })
  return size
}

const idle = {
  description: '',
  file_name: '',
  sha256: '',
  authenticated: 0,
  active: 1,
  ready: 0,
  download_count: 0,
  authenticated_count: 0,
}

interface UploadedDownload {
  id: string
  name: string
  description: string
  authenticated: boolean
  fileName: string
  stored: StoredFile
  /** Not available for download until a scanner has found it clean. */
  isUnscanned: boolean
  /** Otherwise it is not available until the owner completes it. */
  isComplete: boolean
}

/** Finishes a complete upload: the file is added to the app, and the unused part of its reservation is released. */
export async function finishUpload(tx: Tx, context: AppContext, upload: UploadedDownload): Promise<Download> {
  const { id, stored } = upload
  const name = upload.name.trim()
  const description = upload.description.trim()
  rejectProblem(downloadsErrors, downloadNameProblem(name))
  rejectProblem(downloadsErrors, downloadDescriptionProblem(description))
  await lockAccount(tx, context.app.ownerId)
  const reserved = await lockDownload(tx.db, id)
  // The app was deleted meanwhile.
  if (!reserved) reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND')
  await rejectTakenName(tx, context.app.id, name)
  const finished = await updateDownloadRow(tx.db, id, {
    name,
    description,
    authenticated: upload.authenticated ? 1 : 0,
    file_name: upload.fileName,
    size: stored.bytes,
    sha256: stored.sha256,
    ready: 1,
    unscanned_since: upload.isUnscanned ? context.now : null,
    incomplete_since: upload.isComplete ? null : context.now,
    created_at: context.now,
  })
  if (upload.isUnscanned) await enqueueScan(tx, { id, ownerId: context.app.ownerId, now: context.now })
  await recordAudit(tx, context, {
    act: 'download.upload',
    target: name,
    details: { bytes: stored.bytes, downloadId: id },
  })
  return finished as Download
}

/** A file rejected because of the scanner's result. */
export const recordInfected = (
  tx: Tx,
  context: AppContext,
  { name, virus, fileName, sha256 }: { name: string; virus: string; fileName: string; sha256: string },
): Promise<void> =>
  recordAudit(tx, context, { act: 'download.infected', target: name.trim(), details: { virus, fileName, sha256 } })

/**
 * Releases the reservation of a failed upload. Its bytes are deleted after the commit. Returns an upload that was
 * finished instead: of its commit, only the answer failed.
 */
export async function cancelUpload(tx: Tx, id: string, remove: (id: string) => void): Promise<Download | undefined> {
  const upload = await lockDownload(tx.db, id)
  if (upload?.ready === 1) return upload
  await deleteDownloadRow(tx.db, id)
  // Its app, and with it the row, may have been deleted before the last bytes arrived.
  await recordDeletedFile(tx.db, id)
  tx.afterCommit(() => remove(id))
  return undefined
}

/** Names are assigned under the owner's lock, so that they are unique. */
async function rejectTakenName(tx: Tx, appId: string, name: string): Promise<void> {
  const other = await findDownload(tx.db, appId, name)
  if (other) reject(downloadsErrors, 'DOWNLOAD_NAME_TAKEN', { details: { field: 'name' } })
}

interface DownloadChange {
  name?: string | undefined
  description?: string | undefined
  authenticated?: boolean | undefined
  complete?: true | undefined
  before?: object | undefined
}

/** Changes only the given fields, and completes the upload in the same commit. */
export async function updateDownload(
  tx: Tx,
  context: AppContext,
  nameOrId: string,
  { before, complete, ...given }: DownloadChange,
): Promise<Download> {
  await lockAccount(tx, context.app.ownerId)
  const file = await lockedDownload(tx, context.app.id, nameOrId)
  const change = {
    ...given,
    ...(given.name !== undefined && { name: given.name.trim() }),
    ...(given.description !== undefined && { description: given.description.trim() }),
  }
  if (change.name !== undefined) rejectProblem(downloadsErrors, downloadNameProblem(change.name))
  if (change.description !== undefined) rejectProblem(downloadsErrors, downloadDescriptionProblem(change.description))
  rejectFieldConflict(
    { before, change },
    { name: file.name, description: file.description, authenticated: file.authenticated === 1 },
  )
  if (change.name !== undefined && change.name !== file.name) await rejectTakenName(tx, context.app.id, change.name)
  const updated = await updateDownloadRow(tx.db, file.id, {
    name: change.name ?? file.name,
    description: change.description ?? file.description,
    authenticated: change.authenticated === undefined ? file.authenticated : change.authenticated ? 1 : 0,
    incomplete_since: complete ? null : file.incomplete_since,
  })
  await recordAudit(tx, context, {
    act: 'download.update',
    target: updated?.name ?? file.name,
    details: { downloadId: file.id },
    changes: changesOf(
      { name: file.name, description: file.description, authenticated: file.authenticated === 1 },
      { name: change.name, description: change.description, authenticated: change.authenticated },
    ),
  })
  return updated as Download
}

/**
 * Deletes the file; returns what restores it. An upload that was never completed is not kept, since nobody could get it.
 * `remove` deletes the bytes of files that are gone for good after the commit.
 */
export async function deleteDownload(
  tx: Tx,
  context: AppContext,
  nameOrId: string,
  remove: (id: string) => void,
): Promise<string | null> {
  await lockAccount(tx, context.app.ownerId)
  const file = await lockedDownload(tx, context.app.id, nameOrId)
  const entry = { act: 'download.delete' as const, target: file.name }
  if (file.incomplete_since !== null) {
    await deleteDownloadRow(tx.db, file.id)
    await recordAudit(tx, context, entry)
    tx.afterCommit(() => remove(file.id))
    return null
  }
  const undoId = newDeletion()
  await putDownloadInBin(tx, context, file, { operation: undoId, remove })
  await deleteDownloadRow(tx.db, file.id)
  await recordAudit(tx, context, { ...entry, operations: [undoId] })
  return undoId
}

/** Deletes an upload not completed since a given time, unless it is being completed right now. */
export async function deleteIncomplete(
  tx: Tx,
  context: AppContext,
  { id, before }: { id: string; before: number },
  remove: (id: string) => void,
): Promise<void> {
  const file = await lockDownload(tx.db, id)
  if (!file || file.incomplete_since === null || Number(file.incomplete_since) >= before) return
  await deleteDownloadRow(tx.db, id)
  const entry = { act: 'download.delete' as const, target: file.name, details: { completed: false } }
  await recordAudit(tx, context, { ...entry, ownerId: context.app.ownerId })
  tx.afterCommit(() => remove(id))
}

/** Enables or disables the file, or toggles it; returns whether it is enabled now. */
export async function toggleDownload(
  tx: Tx,
  context: AppContext,
  nameOrId: string,
  active: boolean | undefined,
): Promise<boolean> {
  const file = await lockedDownload(tx, context.app.id, nameOrId)
  const next = active ?? file.active === 0
  await updateDownloadRow(tx.db, file.id, { active: next ? 1 : 0 })
  await recordAudit(tx, context, {
    act: next ? 'download.enable' : 'download.disable',
    target: file.name,
    details: { downloadId: file.id },
    changes: changeOf('active', file.active === 1, next),
  })
  return next
}

/** The file, read again under its lock. */
async function lockedDownload(tx: Tx, appId: string, nameOrId: string): Promise<Download> {
  const found = await findDownload(tx.db, appId, nameOrId)
  const locked = found && (await lockDownload(tx.db, found.id))
  return locked ?? reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND')
}
