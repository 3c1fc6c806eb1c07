import { pageCount } from '#contract/fields.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { undoVariableActions } from '../variables-undo.actions.ts'
import { deleteAppVariable, setAppVariable } from '../variables.actions.ts'
import { variablesContract as contract } from '../variables.contract.ts'
import { type AppVariable, countAppVariables, listAppVariables } from '../variables.reads.ts'

export const appVariableCalls: readonly Endpoint[] = [
  endpoint(contract.listAppVariables, {
    read: async ({ services: { db }, app, query }) => {
      const { search, name, sort, page, limit = page === undefined ? undefined : 10 } = query
      const filter = { appId: app.id, search, name }
      const total = await countAppVariables(db.reports, filter)
      const cut = limit === undefined ? {} : { limit, offset: ((page ?? 1) - 1) * limit }
      const rows = await listAppVariables(db.reports, { ...filter, ...cut, sort })
      const isNarrowed = name !== undefined || (search?.trim() ?? '') !== ''
      const all = isNarrowed ? await countAppVariables(db.reports, { appId: app.id }) : total
      const totalPages = pageCount(total, limit ?? Infinity)
      return { vars: rows.map(variableReply), total, totalPages, all }
    },
  }),
  endpoint(contract.modifyAppVariable, {
    write: async (tx, context) => {
      const { variableName: name, variableData: data = '', deleteVariable, ...rest } = context.body
      if (deleteVariable) {
        const undoId = newDeletion()
        await deleteAppVariable(tx, context, name, undoId)
        return { code: 'VARIABLE_DELETE_OK', undoId }
      }
      const { isNew, undoId } = await setAppVariable(tx, context, { name, data, ...rest })
      return { code: isNew ? 'VARIABLE_CREATE_OK' : 'VARIABLE_UPDATE_OK', undoId }
    },
  }),
  endpoint(contract.undoAppVariables, undoHandler(undoVariableActions, 'VARIABLES_UNDO_OK')),
]

const variableReply = ({ name, data, authenticated, created_at, updated_at }: AppVariable) => ({
  variableName: name,
  variableData: data,
  authenticated: authenticated === 1,
  createdAt: created_at,
  updatedAt: updated_at,
})
