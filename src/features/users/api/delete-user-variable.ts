import { reject } from '#contract/errors.ts'
import { deleteUserVariable as deleteUserVariableAction } from '#features/variables/variables.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userVariablesContract, variableNameOf } from '../user-variables.contract.ts'
import { lockUser } from '../users.actions.ts'

const call = userVariablesContract.deleteUserVariable

export const deleteUserVariable = endpoint(call, {
  write: async (tx, context) => {
    const { app, body, query } = context
    const username = body.username ?? query.username ?? reject(call.errors, 'USERNAME_REQUIRED')
    const user = await lockUser(tx, app.id, username)
    await deleteUserVariableAction(tx, context, user, variableNameOf(body) || variableNameOf(query))
    return { code: 'VARIABLE_DELETE_OK' }
  },
})
