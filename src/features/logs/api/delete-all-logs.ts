import { endpoint } from '#server/http/endpoint.ts'
import { deleteMatchingLogs } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

export const deleteAllLogs = endpoint(logsContract.deleteAllLogs, {
  writeInBatches: async (context) => {
    const deleted = await deleteMatchingLogs(context, { filter: {} })
    return { code: 'LOGS_DELETE_ALL_OK', deleted }
  },
})
