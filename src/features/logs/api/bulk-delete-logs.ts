import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteManyLogs, deleteMatchingLogs } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'
import { logsErrors } from '../logs.errors.ts'

export const bulkDeleteLogs = endpoint(logsContract.bulkDeleteLogs, {
  writeInBatches: async (context) => {
    const { logIds, filter, expectedCount, newestId } = context.body
    if (logIds ? logIds.length === 0 || filter : !filter) reject(logsErrors, 'NO_LOGS_SELECTED')
    const deleted = logIds
      ? await context.services.db.write((tx) => deleteManyLogs(tx, context, logIds))
      : await deleteMatchingLogs(context, { filter: filter ?? {}, expectedCount, newestId })
    return { code: 'LOGS_DELETE_OK', values: { deleted }, deleted }
  },
})
