import { reject } from '#contract/errors.ts'
import { pageCount } from '#contract/fields.ts'
import type { Reader } from '#database/database.ts'
import { deleteAppVariable, setAppVariable } from '#features/variables/variables.actions.ts'
import { variablesErrors } from '#features/variables/variables.errors.ts'
import {
  type AppVariable,
  countAppVariables,
  findAppVariable,
  listAppVariables,
} from '#features/variables/variables.reads.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerAppVariablesContract as contract } from '../seller-app-variables.contract.ts'

export const appVariableCalls: readonly Endpoint[] = [
  endpoint(contract.listAppVariables, {
    read: async ({ services: { db }, app, query }) => {
      const { page = 1, limit = 10, search } = query
      const filter = { appId: app.id, search }
      const total = await countAppVariables(db.reports, filter)
      const rows = await listAppVariables(db.reports, { ...filter, limit, offset: (page - 1) * limit })
      return { variables: rows.map(variableReply), total, totalPages: pageCount(total, limit) }
    },
  }),
  endpoint(contract.getAppVariable, {
    read: async ({ services: { db }, app, params }) => ({ variable: await described(db.read, app.id, params.name) }),
  }),
  endpoint(contract.setAppVariable, {
    write: async (tx, context) => {
      const { app, params, body } = context
      const { isNew: created } = await setAppVariable(tx, context, { name: params.name, ...body })
      return {
        code: created ? 'VARIABLE_CREATE_OK' : 'VARIABLE_UPDATE_OK',
        variable: await described(tx.db, app.id, params.name),
        created,
      }
    },
  }),
  endpoint(contract.deleteAppVariable, {
    write: async (tx, context) => {
      await deleteAppVariable(tx, context, context.params.name)
      return { code: 'VARIABLE_DELETE_OK' }
    },
  }),
]

async function described(db: Reader, appId: string, name: string) {
  const variable = await findAppVariable(db, appId, name.trim())
  return variableReply(variable ?? reject(variablesErrors, 'VARIABLE_NOT_FOUND'))
}

const variableReply = ({ name, data, authenticated, updated_at }: AppVariable) => ({
  name,
  data,
  authenticated: authenticated === 1,
  updatedAt: Number(updated_at),
})
