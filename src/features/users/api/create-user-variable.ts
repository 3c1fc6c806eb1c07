import { createUserVariable as createUserVariableAction } from '#features/variables/variables.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userVariablesContract, variableNameOf, variableReply } from '../user-variables.contract.ts'
import { lockUser } from '../users.actions.ts'

export const createUserVariable = endpoint(userVariablesContract.createUserVariable, {
  write: async (tx, context) => {
    const { app, body } = context
    const variable = { name: variableNameOf(body), data: body.variableData ?? '' }
    const user = await lockUser(tx, app.id, body.username)
    await createUserVariableAction(tx, context, user, variable)
    return { code: 'VARIABLE_CREATE_OK', variable: variableReply(variable) }
  },
})
