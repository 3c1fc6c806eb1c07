import type { Database, Tx } from '#database/database.ts'
import type { AppContext } from '../audit/audit.ts'
import { runUndo, runUndoOnce, type UndoActions, type UndoReport } from './undo.ts'
import type { RowId } from './undo-log.ts'

interface UndoContext extends AppContext {
  services: { db: Database }
  body: { undoId: string; maxRows?: number | undefined }
}

/** Handles a call that undoes bulk actions; `code` is its success. */
export function undoHandler<X extends UndoContext, S, I extends RowId, C extends string>(
  undoActions: (context: X) => UndoActions<S, I> | Promise<UndoActions<S, I>>,
  code: C,
) {
  const undoOf = async (context: X) => {
    const { services, body } = context
    return { db: services.db, context, ...body, undo: await undoActions(context) }
  }
  const replyOf = ({ next, ...counts }: UndoReport) => ({ code, values: counts, ...counts, next })
  return {
    writeInBatches: async (context: X) => replyOf(await runUndo(await undoOf(context))),
    prepareOnce: undoOf,
    writeOnce: async (tx: Tx, _context: X, undo: Awaited<ReturnType<typeof undoOf>>) =>
      replyOf(await runUndoOnce(tx, undo)),
  }
}
