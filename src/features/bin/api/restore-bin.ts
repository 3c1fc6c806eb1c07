import { reject } from '#contract/errors.ts'
import type { Database } from '#database/database.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { restoreByIds, restoreDeletion } from '../bin.actions.ts'
import { binContract } from '../bin.contract.ts'
import { binErrors } from '../bin.errors.ts'

const call = binContract.restoreBin

async function restore(write: Database['write'], context: CallContext<typeof call>, most?: number) {
  const { ids, undoId, after, maxRows } = context.body
  if (ids ? undoId !== undefined : undoId === undefined) reject(binErrors, 'NO_BIN_ITEMS_SELECTED')
  const limit = most === undefined ? maxRows : Math.min(maxRows ?? most, most)
  const report = ids
    ? await restoreByIds(write, context, ids)
    : await restoreDeletion(write, context, { undoId: undoId as string, after, maxRows: limit })
  const { restored, failed } = report
  const code = failed === 0 ? 'BIN_RESTORE_OK' : 'BIN_RESTORE_PARTLY_OK'
  return { code, values: { restored, failed }, ...report } as const
}

const rowsOnce = 1000

export const restoreBin = endpoint(call, {
  writeInBatches: (context) => restore(context.services.db.write, context),
  writeOnce: (tx, context) => restore((work) => work(tx), context, rowsOnce),
})
