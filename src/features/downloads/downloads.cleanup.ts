import { systemContext } from '#server/audit/audit.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds, perServer, type Services } from '#server/services.ts'
import { recordCheck } from '#server/status/platform-checks.ts'
import { fileStore, removeFile } from './download-files.ts'
import { deleteIncomplete } from './downloads.actions.ts'
import { listIncomplete } from './downloads.reads.ts'
import { downloadDays, incompleteSeconds } from './downloads.rules.ts'
import { deleteEventsBefore, deleteProgressBefore, deleteUnfinished } from './downloads.writes.ts'
import {
  adoptSharedFiles,
  areTooMany,
  type FileCleanup,
  findOrphans,
  removeDeletedFiles,
  setAsideOrphans,
  settleRemovedFiles,
} from './file-cleanup.ts'
import { Removals } from './removals.ts'
import { progressSeconds } from './sent-ranges.ts'

/** An upload is cut off after an hour (upload-route.ts). */
const maxUploadSeconds = 7200
const rowsPerTransaction = 2000

/**
 * Cleans up uploads left by a crash or a deleted app, and download records older than 90 days or the retention of
 * addresses.
 */
export const cleanUpDownloads: JobHandler = {
  concurrency: 1,
  leaseSeconds: 600,
  maxAttempts: 5,
  everySeconds: 3600,
  async run(services) {
    const now = epochSeconds(services)
    const { addressRetentionDays } = services.config
    const before = now - Math.min(downloadDays, addressRetentionDays || downloadDays) * 86_400
    const { db, log } = services
    await deleteEventsBefore(db, before)
    await deleteProgressBefore(db, now - progressSeconds)
    // `removeDeletedFiles` then deletes the bytes by name: not every store lists incomplete files.
    await db.write((tx) => deleteUnfinished(tx.db, now - maxUploadSeconds))
    await removeIncomplete(services, now - incompleteSeconds)
    await cleanUpFiles(services, { db, log, store: fileStore(services), now })
  },
}

/** Uploads that were not completed. */
async function removeIncomplete(services: Services, before: number): Promise<void> {
  const { db } = services
  for (;;) {
    const files = await listIncomplete(db.reports, { before, limit: rowsPerTransaction })
    for (const { id, appId, ownerId, appName } of files) {
      const context = { ...systemContext(epochSeconds(services)), app: { id: appId, ownerId, name: appName } }
      await db.write((tx) => deleteIncomplete(tx, context, { id, before }, removeFile(services)))
    }
    if (files.length < rowsPerTransaction) return
  }
}

const errors = perServer(() => ({ isLogged: false }))

async function cleanUpFiles(services: Services, cleanup: FileCleanup): Promise<void> {
  const removals = new Removals(cleanup.store)
  await removeDeletedFiles(cleanup, removals)
  await adoptSharedFiles(cleanup)
  await settleRemovedFiles(cleanup, removals)
  const found = await findOrphans(cleanup)
  // What was deleted for good is never set aside.
  const isLeft = (id: string) => !removals.hasFailed(id)
  const orphans = { ...found, ids: found.ids.filter(isLeft), unfinished: found.unfinished.filter(isLeft) }
  // Incomplete files are useless.
  await removals.remove(orphans.unfinished)
  const isRejected = areTooMany(orphans)
  const rejection = errors(services)
  if (isRejected && !rejection.isLogged) {
    const { files, ids } = orphans
    services.log.error(
      { files, withoutRow: ids.length },
      'many files have no row in this database; none is set aside until you run `npm run files:cleanup`',
    )
  }
  rejection.isLogged = isRejected
  if (!isRejected) await setAsideOrphans(cleanup, orphans)
  const check = { name: 'files', checkedAt: cleanup.now, problems: isRejected ? orphans.ids.length : 0 }
  await services.db.write((tx) => recordCheck(tx, check))
  removals.end()
}
