import { randomInt } from 'node:crypto'
import type { Tx } from '#database/database.ts'
import { findAppOwner } from '#features/apps/apps.reads.ts'
import { recordAudit, systemContext } from '#server/audit/audit.ts'
import type { ClamdAddress } from '#server/config/config.ts'
import { enqueueJobs, type Job, type JobHandler, pauseAfter, type RunAgain } from '#server/jobs/jobs.ts'
import type { Gauge } from '#server/status/gauge.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { type ScanVerdict, scanBytes, ScannerUnavailable } from './clamd.ts'
import { fileStore, removeFile } from './download-files.ts'
import { countUnscanned, findUnscanned } from './downloads.reads.ts'
import { deleteDownloadRow, lockDownload, releaseUnscanned, updateDownloadRow } from './downloads.writes.ts'

/** Virus scan of uploaded files by clamd, if configured. */

const scanKind = 'scan-download'
const idleMs = 30_000
/** Time the uploader waits for the result: less than the idle timeout of a connection. */
const maxWaitMs = 15_000
const leaseSeconds = 900
/** A scan in the background ends before its lease, however slowly the bytes come. */
const maxScanMs = (leaseSeconds / 2) * 1000
const maxPauseSeconds = 60

/** While clamd is unavailable, its file waits for any length of time: the job is never set aside. */
export async function enqueueScan(
  tx: Tx,
  { id, ownerId, now }: { id: string; ownerId: string; now: number },
): Promise<void> {
  await enqueueJobs(tx, [{ kind: scanKind, lane: ownerId, payload: { id }, dueAt: now }], now)
}

/** The result, or undefined if it takes longer than the caller waits. Without a scanner, every file is clean. */
export async function scanUpload(services: Services, id: string): Promise<ScanVerdict | undefined> {
  const { clamd } = services.config
  if (!clamd) return { isClean: true }
  const waitMs = Math.min(maxWaitMs, services.stalledTransferMs)
  try {
    return await scanStored(services, clamd, id, { idleMs: waitMs, maxMs: waitMs })
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error
    services.log.warn({ err: error }, 'a file is waiting for its virus scan')
    return undefined
  }
}

async function scanStored(
  services: Services,
  clamd: ClamdAddress,
  id: string,
  { idleMs, maxMs }: { idleMs: number; maxMs: number },
): Promise<ScanVerdict> {
  const bytes = await fileStore(services).open(id)
  const timer = setTimeout(() => bytes.destroy(new ScannerUnavailable('the scan takes long')), maxMs)
  try {
    return await scanBytes(clamd, bytes, idleMs)
  } finally {
    clearTimeout(timer)
  }
}

async function scanWaiting(services: Services, job: Job<{ id: string }>): Promise<RunAgain | void> {
  const { db, config } = services
  const { id } = job.payload
  const app = await findUnscanned(db.read, id)
  // Scanned or deleted meanwhile.
  if (!app) return
  // The scanner was turned off: it may be on again before the file is released.
  if (!config.clamd) return { nextAt: epochSeconds(services) + maxPauseSeconds }
  let verdict: ScanVerdict
  try {
    const limits = { idleMs: Math.min(idleMs, services.stalledTransferMs), maxMs: maxScanMs }
    verdict = await scanStored(services, config.clamd, id, limits)
  } catch (error) {
    services.log.warn({ err: error, download: id, attempt: job.attempt }, 'could not scan a file')
    const pause = Math.min(maxPauseSeconds, pauseAfter(job.attempt, randomInt(1000) / 1000))
    return { nextAt: epochSeconds(services) + pause, error: String(error) }
  }
  await db.write(async (tx) => {
    const file = await lockDownload(tx.db, id)
    if (file && verdict.isClean) {
      await updateDownloadRow(tx.db, id, { unscanned_since: null })
      await announceReleased(tx, app.id, epochSeconds(services))
    } else if (file && !verdict.isClean) {
      const details = { virus: verdict.virus, fileName: file.file_name, sha256: file.sha256 }
      await deleteDownloadRow(tx.db, id)
      const entry = { act: 'download.infected' as const, target: file.name, details, ownerId: app.ownerId }
      await recordAudit(tx, { ...systemContext(epochSeconds(services)), app }, entry)
      tx.afterCommit(() => removeFile(services)(id))
    }
    await job.finish(tx)
  })
}

/** Files of an app are no longer shown as waiting. */
async function announceReleased(tx: Tx, appId: string, at: number): Promise<void> {
  const ownerId = (await findAppOwner(tx.db, appId)) ?? ''
  tx.emit({ type: 'download.release', appId, ownerId, at, target: '', details: {} })
}

/** Without a scanner, no file should wait for one. */
const releaseWaiting: JobHandler = {
  concurrency: 1,
  leaseSeconds: 600,
  maxAttempts: 5,
  everySeconds: 3600,
  async run(services) {
    const { db, config } = services
    if (config.clamd) return
    const release = async (tx: Tx) => {
      const { appIds, hasMore } = await releaseUnscanned(tx.db)
      for (const appId of appIds) await announceReleased(tx, appId, epochSeconds(services))
      return hasMore
    }
    while (await db.write(release));
  },
}

export const scanJobs: Readonly<Record<string, JobHandler>> = {
  [scanKind]: {
    concurrency: 2,
    leaseSeconds,
    maxAttempts: Number.MAX_SAFE_INTEGER,
    run: scanWaiting as JobHandler['run'],
  },
  'release-unscanned': releaseWaiting,
}

export const scanGauge: Gauge = {
  name: 'signet_unscanned_files',
  help: 'Files waiting for the virus scan, not available for download yet',
  read: async ({ db }) => [{ value: await countUnscanned(db.reports) }],
}
