import { done } from '#contract/define-call.ts'
import { reject } from '#contract/errors.ts'
import { removeDeletedBytes } from '#features/downloads/removed-bytes.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteForGood, emptyBin } from '../bin.actions.ts'
import { binContract } from '../bin.contract.ts'
import { binErrors } from '../bin.errors.ts'

const call = binContract.deleteBin

export const deleteBin = endpoint(call, {
  writeInBatches: async (context) => {
    const { services, body } = context
    const { ids, all } = body
    if (all ? ids !== undefined : ids === undefined) reject(binErrors, 'NO_BIN_ITEMS_SELECTED')
    const deleted = ids
      ? await services.db.write((tx) => deleteForGood(tx, context, ids))
      : await emptyBin(services.db, context)
    removeDeletedBytes(services)
    return { ...done(call, 'BIN_DELETE_OK', { deleted }), deleted }
  },
})
