import type { Database, Tx } from '#database/database.ts'
import type { AppContext } from '../audit/audit.ts'
import { runUndo, runUndoOnce, type UndoActions, type UndoReport } from './undo.ts'
import type { RowId } from './undo-log.ts'

interface UndoContext extends AppContext {
  services: { db: Database }
  body: { undoId: string; maxRows?: number | undefined }
}

/** Handles a call that undoes bulk actions; `successOf` has the code and text of its success. */
export function undoHandler<R extends object, S, I extends RowId>(
  undoActions: (context: UndoContext) => UndoActions<S, I>,
  successOf: (counts: { restored: number; failed: number }) => R,
) {
  const undoOf = (context: UndoContext) => {
    const { services, body } = context
    return { db: services.db, context, ...body, undo: undoActions(context) }
  }
  const replyOf = ({ next, ...counts }: UndoReport) => ({ ...successOf(counts), ...counts, next })
  return {
    writeInBatches: async (context: UndoContext) => replyOf(await runUndo(undoOf(context))),
    writeOnce: async (tx: Tx, context: UndoContext) => replyOf(await runUndoOnce(tx, undoOf(context))),
  }
}
