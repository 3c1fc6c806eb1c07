import type { Database } from '#database/database.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import { type ExportColumn, exportedRows } from '#server/http/exported-rows.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import { variablesContract } from '../variables.contract.ts'
import {
  type AppVariable,
  type AppVariableFilter,
  listAppVariablesAfter,
  listAppVariablesNamed,
} from '../variables.reads.ts'
import type { VariableExportColumn } from '../variables.rules.ts'

const rowsPerRead = 200

export const exportAppVariables = endpoint(variablesContract.exportAppVariables, {
  read: async ({ services: { db }, app, query, now }) => {
    const { format = 'csv', download, columns: chosen, search } = query
    const batches = exportedRows(entriesOf(db, { appId: app.id, search }), { format, columns, chosen })
    return fileReply({ of: 'variables', appName: app.name, format, now, download, batches })
  },
})

export const exportSelectedAppVariables = endpoint(variablesContract.exportSelectedAppVariables, {
  read: async ({ services: { db }, app, body, now }) => {
    const { format = 'csv', columns: chosen, variableNames } = body
    const rows = await listAppVariablesNamed(db.read, app.id, variableNames)
    const batches = exportedRows([rows.map(entryOf)], { format, columns, chosen })
    return fileReply({ of: 'variables', appName: app.name, format, now, download: false, batches })
  },
})

const columns: Record<VariableExportColumn, ExportColumn<Entry>> = {
  name: { header: 'Variable Name', text: ({ variableName }) => variableName, fields: ['variableName'] },
  data: { header: 'Variable Data', text: ({ variableData }) => variableData, fields: ['variableData'] },
  access: {
    header: 'Only when signed in',
    text: ({ authenticated }) => (authenticated ? 'yes' : 'no'),
    fields: ['authenticated'],
  },
}

type Entry = ReturnType<typeof entryOf>

const entryOf = ({ name, data, authenticated }: AppVariable) => ({
  variableName: name,
  variableData: data,
  authenticated: authenticated === 1,
})

async function* entriesOf(db: Database, filter: AppVariableFilter): AsyncGenerator<Entry[]> {
  const all = new BatchedScan({}, rowsPerRead, (afterId, limit) =>
    listAppVariablesAfter(db.reports, { ...filter, afterId, limit }),
  )
  for await (const rows of all.batches()) yield rows.map(entryOf)
}
