import { refuse } from '#contract/refusals.ts'
import { updateUserVariable as updateUserVariableAction } from '#features/variables/variables.actions.ts'
import { variablesRefusals } from '#features/variables/variables.refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { variableDataOf, variableNameOf, variableReply } from '../user-variable-fields.ts'
import { userVariablesContract } from '../user-variables.contract.ts'
import { lockUser } from '../users.actions.ts'

export const updateUserVariable = endpoint(userVariablesContract.updateUserVariable, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const original = (body.originalName ?? body.originalVariableName)?.trim()
    const name = variableNameOf(body) || (original ?? '')
    if (original !== undefined && original !== name) refuse(variablesRefusals, 'VARIABLE_NAME_FIXED')
    const variable = { name, data: variableDataOf(body) }
    const user = await lockUser(tx, app.id, body.username)
    await updateUserVariableAction(tx, user, { ...variable, now })
    await recordAudit(tx, context, { act: 'user.update-variable', target: user.username, details: { name } })
    return { message: 'Variable updated successfully', variable: variableReply(variable) }
  },
})
