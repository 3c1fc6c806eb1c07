import { csvLine } from '#contract/csv.ts'
import { reject } from '#contract/errors.ts'
import type { Database } from '#database/database.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import type { BatchResult } from '../imports.actions.ts'
import { importsContract } from '../imports.contract.ts'
import { importsErrors } from '../imports.errors.ts'
import { findImport, type Import, listBatchesAfter } from '../imports.reads.ts'

const batchesPerRead = 5
const header = ['Row', 'Name', 'Result', 'New name', 'Reason']

export const exportImportReport = endpoint(importsContract.exportImportReport, {
  read: async ({ services: { db }, app, query, now }) => {
    const { importId, download } = query
    const row = (await findImport(db.read, app.id, importId)) ?? reject(importsErrors, 'IMPORT_NOT_FOUND')
    const batches = csvChunks(db, row)
    return fileReply({ of: 'import', appName: app.name, format: 'csv', now, download, batches })
  },
})

async function* csvChunks(db: Database, { id }: Import): AsyncGenerator<string> {
  yield csvLine(header)
  for (let after = 0; ;) {
    const batches = await listBatchesAfter(db.reports, id, after, batchesPerRead)
    const last = batches.at(-1)
    if (!last) return
    after = last.number
    yield batches
      .flatMap(({ result }) => (JSON.parse(result) as BatchResult).results)
      .map(({ row, name, outcome, newName = '', message }) => csvLine([String(row), name, outcome, newName, message]))
      .join('')
  }
}
