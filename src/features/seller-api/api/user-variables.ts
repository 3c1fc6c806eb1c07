import { reject } from '#contract/errors.ts'
import { getUser, lockUser } from '#features/users/users.actions.ts'
import { deleteUserVariable, setUserVariable } from '#features/variables/variables.actions.ts'
import { findVariable, listVariables, type UserVariable } from '#features/variables/variables.reads.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerVariablesContract as contract } from '../seller-variables.contract.ts'

const variableReply = ({ name, data }: Pick<UserVariable, 'name' | 'data'>) => ({ name, data })

export const variableCalls: readonly Endpoint[] = [
  endpoint(contract.listVariables, {
    read: async ({ services: { db }, app, params }) => {
      const user = await getUser(db.read, app.id, params.username)
      return { variables: (await listVariables(db.read, app.id, [user.id])).map(variableReply) }
    },
  }),
  endpoint(contract.getVariable, {
    read: async ({ services: { db }, app, params }) => {
      const { id: userId } = await getUser(db.read, app.id, params.username)
      const variable = await findVariable(db.read, { appId: app.id, userId, name: params.name.trim() })
      return { variable: variableReply(variable ?? reject(contract.getVariable.errors, 'VARIABLE_NOT_FOUND')) }
    },
  }),
  endpoint(contract.setVariable, {
    write: async (tx, context) => {
      const { app, params, body } = context
      const variable = { name: params.name.trim(), data: body.data }
      const user = await lockUser(tx, app.id, params.username)
      const created = await setUserVariable(tx, context, user, variable)
      return { code: created ? 'VARIABLE_CREATE_OK' : 'VARIABLE_UPDATE_OK', variable, created }
    },
  }),
  endpoint(contract.deleteVariable, {
    write: async (tx, context) => {
      const { app, params } = context
      const user = await lockUser(tx, app.id, params.username)
      await deleteUserVariable(tx, context, user, params.name)
      return { code: 'VARIABLE_DELETE_OK' }
    },
  }),
]
