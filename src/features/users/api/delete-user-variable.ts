import { refuse } from '#contract/refusals.ts'
import { deleteUserVariable as deleteUserVariableAction } from '#features/variables/variables.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { variableNameOf } from '../user-variable-fields.ts'
import { userVariablesContract } from '../user-variables.contract.ts'
import { lockUser } from '../users.actions.ts'
import { usersRefusals } from '../users.refusals.ts'

export const deleteUserVariable = endpoint(userVariablesContract.deleteUserVariable, {
  write: async (tx, context) => {
    const { app, body, query } = context
    const username = body.username ?? query.username
    const name = variableNameOf(body) || variableNameOf(query)
    if (!username) refuse(usersRefusals, 'USER_INVALID', { values: { problem: 'Username is required' } })
    const user = await lockUser(tx, app.id, username)
    await deleteUserVariableAction(tx, user, name)
    await recordAudit(tx, context, { act: 'user.delete-variable', target: user.username, details: { name } })
    return { message: 'Variable deleted successfully' }
  },
})
