import { reject } from '#contract/errors.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { type CallContext, endpoint, type Endpoint } from '#server/http/endpoint.ts'
import type { Hwids } from '../batch-context.ts'
import { hashesOfHwids } from '../imported-hwids.ts'
import { importBatch, importRetentionSeconds, startImport } from '../imports.actions.ts'
import { importsContract as contract } from '../imports.contract.ts'
import { importsErrors } from '../imports.errors.ts'
import { findImport, listImports, settingsOf } from '../imports.reads.ts'
import { importReply } from '../imports.reply.ts'
import { undoImportActions } from '../undo-import.actions.ts'

export const importCalls: readonly Endpoint[] = [
  endpoint(contract.listImports, {
    read: async ({ services: { db }, app, now }) => ({
      imports: (await listImports(db.read, app.id, now - importRetentionSeconds)).map(importReply),
    }),
  }),
  endpoint(contract.startImport, {
    write: async (tx, context) => {
      const { kind, source, fileName, fingerprint, rows, levels, columns = {}, ...chosen } = context.body
      const { onConflict = 'skip', durationUnit = 'days', withHwids = false, withKeys = false } = chosen
      const settings = { onConflict, durationUnit, withHwids, withKeys, columns }
      const row = await startImport(tx, context, { kind, source, fileName, fingerprint, rows, levels, settings })
      return { import: importReply(row) }
    },
  }),
  endpoint(contract.importRows, {
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
  }),
  endpoint(
    contract.undoImport,
    undoHandler(async (context: CallContext<typeof contract.undoImport>) => {
      const { services, app, body } = context
      const row = (await findImport(services.db.read, app.id, body.undoId)) ?? reject(importsErrors, 'UNDO_NOT_FOUND')
      return undoImportActions(context, row)
    }, 'IMPORT_UNDO_OK'),
  ),
]
