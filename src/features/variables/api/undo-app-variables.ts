import { done } from '#contract/define-call.ts'
import { runUndo, runUndoOnce, type UndoReport } from '#server/bulk/bulk.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { variablesContract } from '../variables.contract.ts'
import { undoVariableActions } from '../variables-undo.actions.ts'

const call = variablesContract.undoAppVariables

const undoOf = (context: CallContext<typeof call>) => {
  const { services, body } = context
  return { db: services.db, context, ...body, undo: undoVariableActions(context) }
}

const replyOf = (report: UndoReport) => ({
  ...done(call, 'VARIABLES_UNDO_OK', { restored: report.restored, failed: report.failed }),
  ...report,
})

export const undoAppVariables = endpoint(call, {
  writeInBatches: async (context) => replyOf(await runUndo(undoOf(context))),
  writeOnce: async (tx, context) => replyOf(await runUndoOnce(tx, undoOf(context))),
})
