import { done } from '#contract/define-call.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteAppVariable, setAppVariable } from '../variables.actions.ts'
import { variablesContract } from '../variables.contract.ts'

const call = variablesContract.modifyAppVariable

export const modifyAppVariable = endpoint(call, {
  write: async (tx, context) => {
    const { variableName: name, variableData: data = '', deleteVariable, ...rest } = context.body
    if (deleteVariable) {
      const undoId = newDeletion()
      await deleteAppVariable(tx, context, name, undoId)
      return { ...done(call, 'VARIABLE_DELETE_OK'), undoId }
    }
    const { isNew, undoId } = await setAppVariable(tx, context, { name, data, ...rest })
    return { ...done(call, isNew ? 'VARIABLE_CREATE_OK' : 'VARIABLE_UPDATE_OK'), undoId }
  },
})
