import { textLine } from '#contract/csv.ts'
import type { Database } from '#database/database.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import { endpoint } from '#server/http/endpoint.ts'
import type { Batches } from '#server/http/exported-rows.ts'
import { fileReply } from '#server/http/file-reply.ts'
import { exportedLicenses } from '../exported-licenses.ts'
import { licensesContract } from '../licenses.contract.ts'
import { keyLinesAfter, listAfter } from '../license-batches.reads.ts'
import { type FilterOf, findLicensesByKey, type License } from '../licenses.reads.ts'

/** Small enough to be freed soon and to let other calls run between reads. */
const rowsPerRead = 500

export const exportLicenses = endpoint(licensesContract.exportLicenses, {
  read: async ({ services: { db }, app, query, now }) => {
    const { format = 'txt', download, columns: chosen, appName: _name, appId: _id, ...filter } = query
    const choice = { appId: app.id, filter, now }
    const names = await levelNames(db.read, app.id)
    const batches =
      format === 'txt' ? keyLines(db, choice) : exportedLicenses(allBatches(db, choice), { format, chosen, names })
    return fileReply({ of: 'licenses', appName: app.name, format, now, download, batches })
  },
})

export const exportSelectedLicenses = endpoint(licensesContract.exportSelectedLicenses, {
  read: async ({ services: { db }, app, body, now }) => {
    const { format = 'txt', columns: chosen, licenses } = body
    const names = await levelNames(db.read, app.id)
    const rows = await findLicensesByKey(db.read, app.id, licenses)
    const batches = exportedLicenses([rows], { format, chosen, names })
    return fileReply({ of: 'licenses', appName: app.name, format, now, download: false, batches })
  },
})

/** Reads only the keys, a batch as one text; `textLine` protects each of its lines against formulas. */
async function* keyLines(db: Database, choice: FilterOf): AsyncGenerator<string> {
  const all = new BatchedScan({}, rowsPerRead, async (afterId, limit) => {
    const next = await keyLinesAfter(db, { ...choice, afterId, limit })
    return next ? [next] : []
  })
  for await (const [batch] of all.batches()) if (batch) yield textLine(batch.lines)
}

const allBatches = (db: Database, choice: FilterOf): Batches<License> =>
  new BatchedScan({}, rowsPerRead, (afterId, limit) => listAfter(db, { ...choice, afterId, limit })).batches()
