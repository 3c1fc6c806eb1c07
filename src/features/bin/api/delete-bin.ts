import { reject } from '#contract/errors.ts'
import { removeDeletedBytes } from '#features/downloads/removed-bytes.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteForGood, emptyBin } from '../bin.actions.ts'
import { binContract } from '../bin.contract.ts'
import { binErrors } from '../bin.errors.ts'

export const deleteBin = endpoint(binContract.deleteBin, {
  writeInBatches: async (context) => {
    const { services, body } = context
    const { ids, all } = body
    if (all ? ids !== undefined : ids === undefined) reject(binErrors, 'NO_BIN_ITEMS_SELECTED')
    const deleted = ids
      ? await services.db.write((tx) => deleteForGood(tx, context, ids))
      : await emptyBin(services.db, context)
    removeDeletedBytes(services)
    return { code: 'BIN_DELETE_OK', values: { deleted }, deleted }
  },
})
