import { endpoint } from '#server/http/endpoint.ts'
import { variablesContract } from '../variables.contract.ts'
import { type AppVariable, countAppVariables, listAppVariables as readVariables } from '../variables.reads.ts'

export const listAppVariables = endpoint(variablesContract.listAppVariables, {
  read: async ({ services: { db }, app, query }) => {
    const { search, name, sort, page, limit = page === undefined ? undefined : 10 } = query
    const filter = { appId: app.id, search, name }
    const total = await countAppVariables(db.reports, filter)
    const cut = limit === undefined ? {} : { limit, offset: ((page ?? 1) - 1) * limit }
    const rows = await readVariables(db.reports, { ...filter, ...cut, sort })
    const isNarrowed = name !== undefined || (search?.trim() ?? '') !== ''
    const all = isNarrowed ? await countAppVariables(db.reports, { appId: app.id }) : total
    const totalPages = Math.max(1, Math.ceil(total / (limit ?? Infinity)))
    return { vars: rows.map(variableReply), total, totalPages, all }
  },
})

const variableReply = ({ name, data, authenticated, created_at, updated_at }: AppVariable) => ({
  variableName: name,
  variableData: data,
  authenticated: authenticated === 1,
  createdAt: created_at,
  updatedAt: updated_at,
})
