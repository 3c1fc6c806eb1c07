import { reject } from '#contract/errors.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { BatchedScan } from '#server/bulk/batched-scan.ts'
import { expectedRows } from '#server/bulk/expected-rows.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { deleteManyAppVariables } from '../variables.actions.ts'
import { variablesContract } from '../variables.contract.ts'
import { type AppVariable, listAppVariablesAfter } from '../variables.reads.ts'
import { variablesErrors } from '../variables.errors.ts'

const call = variablesContract.bulkDeleteAppVariables

/** Few enough for heartbeats to run between two transactions. */
const rowsPerTransaction = 500

export const bulkDeleteAppVariables = endpoint(call, {
  writeInBatches: async (context) => {
    const { services, body } = context
    const undoId = newDeletion()
    let deleted = 0
    for await (const names of batches(context)) {
      deleted += await services.db.write((tx) => deleteManyAppVariables(tx, context, names, undoId))
    }
    const isAll = body.filter !== undefined && (body.filter.search ?? '').trim() === ''
    if (isAll) return { code: 'VARIABLES_DELETE_ALL_OK', deleted, undoId: deleted > 0 ? undoId : null }
    return { code: 'VARIABLES_DELETE_OK', values: { deleted }, deleted, undoId: deleted > 0 ? undoId : null }
  },
})

/** Yields the given names, or else the names that match the filter. */
async function* batches({ services: { db }, app, body }: CallContext<typeof call>): AsyncGenerator<readonly string[]> {
  const { variableNames: names, filter, expectedCount } = body
  if (names ? names.length === 0 || filter : !filter) reject(variablesErrors, 'NO_VARIABLES_SELECTED')
  if (names) {
    for (let from = 0; from < names.length; from += rowsPerTransaction)
      yield names.slice(from, from + rowsPerTransaction)
    return
  }
  const all = new BatchedScan({}, rowsPerTransaction, (afterId, limit) =>
    listAppVariablesAfter(db.reports, { appId: app.id, search: filter?.search, afterId, limit }),
  )
  yield* expectedRows(namesOf(all.batches()), { count: expectedCount })
}

async function* namesOf(batches: AsyncIterable<readonly AppVariable[]>): AsyncGenerator<readonly string[]> {
  for await (const rows of batches) yield rows.map(({ name }) => name)
}
