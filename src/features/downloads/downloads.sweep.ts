import type { JobHandler } from '#server/jobs.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { fileStore } from './download-files.ts'
import { listKnownIds, listUnfinished } from './downloads.reads.ts'
import { downloadDays } from './downloads.rules.ts'
import { deleteDownloadRow, deleteEventsBefore } from './downloads.writes.ts'

/** No upload lasts longer: after an hour it is cut (call-routes.ts). */
const maxUploadSeconds = 7200
const idsPerQuery = 500
const eventsPerTransaction = 2000

/** Clears away what a crash or a deleted app has left of uploads (F20), and who downloaded what 90 days ago, or earlier where addresses go earlier. */
export const sweepDownloads: JobHandler = {
  concurrency: 1,
  leaseSeconds: 600,
  maxAttempts: 5,
  everySeconds: 3600,
  async run(services) {
    const now = epochSeconds(services)
    const { addressRetentionDays } = services.config
    const before = now - Math.min(downloadDays, addressRetentionDays || downloadDays) * 86_400
    let deleted = eventsPerTransaction
    while (deleted === eventsPerTransaction) {
      deleted = await services.db.write((tx) => deleteEventsBefore(tx.db, { before, limit: eventsPerTransaction }))
    }
    await removeUnfinished(services, now - maxUploadSeconds)
    await removeOrphans(services)
  },
}

/** Their bytes first, by name: not every store lists what has come of them. */
async function removeUnfinished(services: Services, before: number): Promise<void> {
  for (const id of await listUnfinished(services.db.read, before)) {
    await fileStore(services).remove(id)
    await services.db.write((tx) => deleteDownloadRow(tx.db, id))
  }
}

/** Files without a row: a row is there before its file, so none of them is one that is coming. */
async function removeOrphans(services: Services): Promise<void> {
  const store = fileStore(services)
  let ids: string[] = []
  const removeUnknown = async () => {
    const known = await listKnownIds(services.db.read, ids)
    for (const id of ids) if (!known.has(id)) await store.remove(id)
    ids = []
  }
  for await (const id of store.ids()) {
    ids.push(id)
    if (ids.length === idsPerQuery) await removeUnknown()
  }
  await removeUnknown()
}
