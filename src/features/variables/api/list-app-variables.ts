import { endpoint } from '#server/http/endpoint.ts'
import { variablesContract } from '../variables.contract.ts'
import { type AppVariable, countAppVariables, listAppVariables as readVariables } from '../variables.reads.ts'

export const listAppVariables = endpoint(variablesContract.listAppVariables, {
  read: async ({ services: { db }, app, query }) => {
    const { search, sort, page, limit = page === undefined ? undefined : 10 } = query
    const filter = { appId: app.id, search }
    const total = await countAppVariables(db.reports, filter)
    const cut = limit === undefined ? {} : { limit, offset: ((page ?? 1) - 1) * limit }
    const rows = await readVariables(db.reports, { ...filter, ...cut, sort })
    const all = search?.trim() ? await countAppVariables(db.reports, { appId: app.id }) : total
    const totalPages = Math.max(1, Math.ceil(total / (limit ?? Infinity)))
    return { vars: rows.map(variableReply), total, totalPages, all }
  },
})

const variableReply = ({ name, data, authenticated, updated_at }: AppVariable) => ({
  variableName: name,
  variableData: data,
  authenticated: authenticated === 1,
  updatedAt: updated_at,
})
