import { done } from '#contract/define-call.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { variablesContract } from '../variables.contract.ts'
import { undoVariableActions } from '../variables-undo.actions.ts'

const call = variablesContract.undoAppVariables

export const undoAppVariables = endpoint(
  call,
  undoHandler(undoVariableActions, (counts) => done(call, 'VARIABLES_UNDO_OK', counts)),
)
