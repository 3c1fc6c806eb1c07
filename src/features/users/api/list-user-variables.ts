import { endpoint } from '#server/endpoint.ts'
import { getUser } from '../user-account.actions.ts'
import { variableReply } from '../user-variable-fields.ts'
import { variablesOf } from '../user-variables.actions.ts'
import { userVariablesContract } from '../user-variables.contract.ts'

export const listUserVariables = endpoint(userVariablesContract.listUserVariables, {
  read: async ({ services: { db }, app, query }) => {
    const user = await getUser(db.read, app.id, query.username)
    return { variables: (await variablesOf(db.read, user)).map(variableReply) }
  },
})
