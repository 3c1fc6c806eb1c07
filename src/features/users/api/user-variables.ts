import { reject } from '#contract/errors.ts'
import { createUserVariable, deleteUserVariable } from '#features/variables/variables.actions.ts'
import { listVariables } from '#features/variables/variables.reads.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { updateVariableUndoably } from '../user-changes.actions.ts'
import { userVariablesContract as contract, variableNameOf, variableReply } from '../user-variables.contract.ts'
import { getUser, lockUser } from '../users.actions.ts'

export const userVariableCalls: readonly Endpoint[] = [
  endpoint(contract.listUserVariables, {
    read: async ({ services: { db }, app, query }) => {
      const user = await getUser(db.read, app.id, query.username)
      return { variables: (await listVariables(db.read, app.id, [user.id])).map(variableReply) }
    },
  }),
  endpoint(contract.createUserVariable, {
    write: async (tx, context) => {
      const { app, body } = context
      const variable = { name: variableNameOf(body), data: body.variableData ?? '' }
      const user = await lockUser(tx, app.id, body.username)
      await createUserVariable(tx, context, user, variable)
      return { code: 'VARIABLE_CREATE_OK', variable: variableReply(variable) }
    },
  }),
  endpoint(contract.updateUserVariable, {
    write: async (tx, context) => {
      const { app, body } = context
      const original = body.originalName?.trim()
      const name = variableNameOf(body) || (original ?? '')
      if (original !== undefined && original !== name) reject(contract.updateUserVariable.errors, 'VARIABLE_NAME_FIXED')
      const variable = { name, data: body.variableData ?? '' }
      const user = await lockUser(tx, app.id, body.username)
      const undoId = await updateVariableUndoably(tx, context, user, { ...variable, before: body.before })
      return { code: 'VARIABLE_UPDATE_OK', variable: variableReply(variable), undoId }
    },
  }),
  endpoint(contract.deleteUserVariable, {
    write: async (tx, context) => {
      const { app, body, query } = context
      const username =
        body.username ?? query.username ?? reject(contract.deleteUserVariable.errors, 'USERNAME_REQUIRED')
      const user = await lockUser(tx, app.id, username)
      await deleteUserVariable(tx, context, user, variableNameOf(body) || variableNameOf(query))
      return { code: 'VARIABLE_DELETE_OK' }
    },
  }),
]
