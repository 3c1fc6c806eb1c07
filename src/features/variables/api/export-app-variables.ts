import { csvLine } from '#contract/csv.ts'
import type { Database } from '#database/database.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { fileReply } from '#server/http/file-reply.ts'
import { variablesContract } from '../variables.contract.ts'
import { type AppVariable, type AppVariableFilter, listAppVariablesAfter } from '../variables.reads.ts'

const rowsPerRead = 200

export const exportAppVariables = endpoint(variablesContract.exportAppVariables, {
  read: async ({ services: { db }, app, query, now }) => {
    const { format = 'csv', download, search } = query
    const batches = batchesOf(db, { appId: app.id, search }, format)
    return fileReply({ of: 'variables', appName: app.name, format, now, download, batches })
  },
})

const frames = {
  csv: { begin: csvLine(['Variable Name', 'Variable Data', 'Only when signed in']), between: '', end: '' },
  json: { begin: '[\n', between: ',\n', end: '\n]\n' },
}

const lines: Record<keyof typeof frames, (variable: AppVariable) => string> = {
  csv: ({ name, data, authenticated }) => csvLine([name, data, authenticated === 1 ? 'yes' : 'no']),
  json: ({ name, data, authenticated }) =>
    JSON.stringify({ variableName: name, variableData: data, authenticated: authenticated === 1 }),
}

/** Yields rows first, so that an early read error becomes an error response instead of a truncated file. */
async function* batchesOf(
  db: Database,
  filter: AppVariableFilter,
  format: keyof typeof frames,
): AsyncGenerator<string> {
  const { begin, between, end } = frames[format]
  let isBegun = false
  const all = new BatchedScan({}, rowsPerRead, (afterId, limit) =>
    listAppVariablesAfter(db.reports, { ...filter, afterId, limit }),
  )
  for await (const rows of all.batches()) {
    yield (isBegun ? between : begin) + rows.map(lines[format]).join(between)
    isBegun = true
  }
  yield isBegun ? end : begin + end
}
