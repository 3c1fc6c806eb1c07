import { refuse } from '#contract/refusals.ts'
import { getUser, lockUser } from '#features/users/users.actions.ts'
import { createUserVariable, deleteUserVariable, updateUserVariable } from '#features/variables/variables.actions.ts'
import { listVariables, type UserVariable } from '#features/variables/variables.reads.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerVariablesContract, sellerVariablesRefusals } from '../seller-variables.contract.ts'

const variableReply = ({ name, data }: Pick<UserVariable, 'name' | 'data'>) => ({ name, data })

export const readVariables = endpoint(sellerVariablesContract.listVariables, {
  read: async ({ services: { db }, app, params }) => {
    const user = await getUser(db.read, app.id, params.username)
    return { variables: (await listVariables(db.read, app.id, [user.id])).map(variableReply) }
  },
})

export const readVariable = endpoint(sellerVariablesContract.getVariable, {
  read: async ({ services: { db }, app, params }) => {
    const user = await getUser(db.read, app.id, params.username)
    const found = (await listVariables(db.read, app.id, [user.id])).find(({ name }) => name === params.name)
    return { variable: variableReply(found ?? refuse(sellerVariablesRefusals, 'VARIABLE_NOT_FOUND')) }
  },
})

export const setVariable = endpoint(sellerVariablesContract.setVariable, {
  write: async (tx, context) => {
    const { app, params, body, now } = context
    const variable = { name: params.name, data: body.data }
    // Locked, so that of two who set the same new name the second changes what the first has made.
    const user = await lockUser(tx, app.id, params.username)
    const created = (await listVariables(tx.db, app.id, [user.id])).every(({ name }) => name !== variable.name)
    await (created ? createUserVariable : updateUserVariable)(tx, user, { ...variable, now })
    const act = created ? 'user.create-variable' : 'user.update-variable'
    await recordAudit(tx, context, { act, target: user.username, details: { name: variable.name } })
    const message = created ? 'Variable created successfully' : 'Variable updated successfully'
    return { message, variable, created }
  },
})

export const deleteVariable = endpoint(sellerVariablesContract.deleteVariable, {
  write: async (tx, context) => {
    const { app, params } = context
    const user = await lockUser(tx, app.id, params.username)
    await deleteUserVariable(tx, user, params.name)
    const details = { name: params.name }
    await recordAudit(tx, context, { act: 'user.delete-variable', target: user.username, details })
    return { message: 'Variable deleted successfully' }
  },
})
