import { createUserVariable as createUserVariableAction } from '#features/variables/variables.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { variableDataOf, variableNameOf, variableReply } from '../user-variable-fields.ts'
import { userVariablesContract } from '../user-variables.contract.ts'
import { lockUser } from '../users.actions.ts'

export const createUserVariable = endpoint(userVariablesContract.createUserVariable, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const variable = { name: variableNameOf(body), data: variableDataOf(body) }
    const user = await lockUser(tx, app.id, body.username)
    await createUserVariableAction(tx, user, { ...variable, now })
    const details = { name: variable.name }
    await recordAudit(tx, context, { act: 'user.create-variable', target: user.username, details })
    return { message: 'Variable created successfully', variable: variableReply(variable) }
  },
})
