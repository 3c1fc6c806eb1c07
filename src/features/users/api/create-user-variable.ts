import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { heldUser } from '../user-account.actions.ts'
import { variableDataOf, variableNameOf, variableReply } from '../user-variable-fields.ts'
import { createUserVariable as createUserVariableAction } from '../user-variables.actions.ts'
import { userVariablesContract } from '../user-variables.contract.ts'

export const createUserVariable = endpoint(userVariablesContract.createUserVariable, {
  unit: async (unit, context) => {
    const { app, body, now } = context
    const variable = { name: variableNameOf(body), data: variableDataOf(body) }
    const user = await heldUser(unit, app.id, body.username)
    await createUserVariableAction(unit, user, { ...variable, now })
    const details = { name: variable.name }
    await recordAudit(unit, context, { act: 'user.create-variable', target: user.username, details })
    return { message: 'Variable created successfully', variable: variableReply(variable) }
  },
})
