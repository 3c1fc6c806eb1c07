import { newDeletion } from '#server/bin/bin-items.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteAppVariable, setAppVariable } from '../variables.actions.ts'
import { variablesContract } from '../variables.contract.ts'

export const modifyAppVariable = endpoint(variablesContract.modifyAppVariable, {
  write: async (tx, context) => {
    const { variableName: name, variableData: data = '', deleteVariable, ...rest } = context.body
    if (deleteVariable) {
      const undoId = newDeletion()
      await deleteAppVariable(tx, context, name, undoId)
      return { code: 'VARIABLE_DELETE_OK', undoId }
    }
    const { isNew, undoId } = await setAppVariable(tx, context, { name, data, ...rest })
    return { code: isNew ? 'VARIABLE_CREATE_OK' : 'VARIABLE_UPDATE_OK', undoId }
  },
})
