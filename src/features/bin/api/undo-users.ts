import { done } from '#contract/define-call.ts'
import { undoUserActions } from '#features/users/users-undo.actions.ts'
import { runUndo, runUndoOnce } from '#server/bulk/bulk.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { binContract } from '../bin.contract.ts'
import { licensedByNow } from '../licensed-subscriptions.ts'

const call = binContract.undoUsers

function undoOf(context: CallContext<typeof call>) {
  const { services, body } = context
  return { db: services.db, context, ...body, undo: undoUserActions(context, licensedByNow(context)) }
}

const replyOf = (report: { restored: number; failed: number; next: number | null }) => ({
  ...done(call, 'USERS_UNDO_OK', { restored: report.restored, failed: report.failed }),
  ...report,
})

/** Here, because what comes back is compared with its licenses, as what comes out of the bin is. */
export const undoUsers = endpoint(call, {
  writeInBatches: async (context) => replyOf(await runUndo(undoOf(context))),
  writeOnce: async (tx, context) => replyOf(await runUndoOnce(tx, undoOf(context))),
})
