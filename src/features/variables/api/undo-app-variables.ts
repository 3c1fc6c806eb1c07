import { undoHandler } from '#server/bulk/undo-handler.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { variablesContract } from '../variables.contract.ts'
import { undoVariableActions } from '../variables-undo.actions.ts'

export const undoAppVariables = endpoint(
  variablesContract.undoAppVariables,
  undoHandler(undoVariableActions, 'VARIABLES_UNDO_OK'),
)
