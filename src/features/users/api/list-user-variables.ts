import { listVariables } from '#features/variables/variables.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userVariablesContract, variableReply } from '../user-variables.contract.ts'
import { getUser } from '../users.actions.ts'

export const listUserVariables = endpoint(userVariablesContract.listUserVariables, {
  read: async ({ services: { db }, app, query }) => {
    const user = await getUser(db.read, app.id, query.username)
    return { variables: (await listVariables(db.read, app.id, [user.id])).map(variableReply) }
  },
})
