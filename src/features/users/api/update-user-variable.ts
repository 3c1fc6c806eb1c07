import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userVariablesContract, variableNameOf, variableReply } from '../user-variables.contract.ts'
import { updateVariableUndoably } from '../user-changes.actions.ts'
import { lockUser } from '../users.actions.ts'

const call = userVariablesContract.updateUserVariable

export const updateUserVariable = endpoint(call, {
  write: async (tx, context) => {
    const { app, body } = context
    const original = body.originalName?.trim()
    const name = variableNameOf(body) || (original ?? '')
    if (original !== undefined && original !== name) reject(call.errors, 'VARIABLE_NAME_FIXED')
    const variable = { name, data: body.variableData ?? '' }
    const user = await lockUser(tx, app.id, body.username)
    const undoId = await updateVariableUndoably(tx, context, user, { ...variable, before: body.before })
    return { code: 'VARIABLE_UPDATE_OK', variable: variableReply(variable), undoId }
  },
})
