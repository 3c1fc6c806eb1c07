import { done } from '#contract/define-call.ts'
import { reject } from '#contract/errors.ts'
import { runUndo, runUndoOnce, type UndoReport } from '#server/bulk/undo.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { importsContract } from '../imports.contract.ts'
import { importsErrors } from '../imports.errors.ts'
import { findImport } from '../imports.reads.ts'
import { undoImportActions } from '../undo-import.actions.ts'

const call = importsContract.undoImport

async function undoOf(context: CallContext<typeof call>) {
  const { services, app, body } = context
  const { undoId } = body
  const row = (await findImport(services.db.read, app.id, undoId)) ?? reject(importsErrors, 'UNDO_NOT_FOUND')
  return { db: services.db, context, ...body, undo: undoImportActions(context, row) }
}

const replyOf = (report: UndoReport) => ({
  ...done(call, 'IMPORT_UNDO_OK', { restored: report.restored, failed: report.failed }),
  ...report,
})

export const undoImport = endpoint(call, {
  writeInBatches: async (context) => replyOf(await runUndo(await undoOf(context))),
  prepareOnce: undoOf,
  writeOnce: async (tx, _context, undo) => replyOf(await runUndoOnce(tx, undo)),
})
