import { refuse } from '#contract/refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { heldUser } from '../user-account.actions.ts'
import { variableNameOf } from '../user-variable-fields.ts'
import { deleteUserVariable as deleteUserVariableAction } from '../user-variables.actions.ts'
import { userVariablesContract } from '../user-variables.contract.ts'
import { usersRefusals } from '../users.refusals.ts'

export const deleteUserVariable = endpoint(userVariablesContract.deleteUserVariable, {
  unit: async (unit, context) => {
    const { app, body, query } = context
    const username = body.username ?? query.username
    const name = variableNameOf(body) || variableNameOf(query)
    if (!username) refuse(usersRefusals, 'USER_INVALID', { fill: { problem: 'Username is required' } })
    const user = await heldUser(unit, app.id, username)
    await deleteUserVariableAction(unit, user, name)
    await recordAudit(unit, context, { act: 'user.delete-variable', target: user.username, details: { name } })
    return { message: 'Variable deleted successfully' }
  },
})
