import { endpoint } from '#server/http/endpoint.ts'
import { hashesOfHwids } from '../imported-hwids.ts'
import type { Hwids } from '../batch-context.ts'
import { importBatch } from '../imports.actions.ts'
import { importsContract } from '../imports.contract.ts'
import { findImport, settingsOf } from '../imports.reads.ts'
import { importReply } from '../imports.reply.ts'

export const importRows = endpoint(importsContract.importRows, {
  prepare: async ({ services, app, body }): Promise<Hwids | undefined> => {
    const row = await findImport(services.db.read, app.id, body.importId)
    const isWanted = row !== undefined && settingsOf(row).withHwids
    return isWanted ? hashesOfHwids(services, app, body.users ?? []) : undefined
  },
  write: async (tx, context, hwids) => {
    const { importId, batch, licenses, users } = context.body
    const { row, result } = await importBatch(tx, context, { importId, batch, rows: { licenses, users }, hwids })
    return { import: importReply(row), ...result }
  },
})
