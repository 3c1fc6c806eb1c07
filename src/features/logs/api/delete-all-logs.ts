import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteMatchingLogs } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

const call = logsContract.deleteAllLogs

export const deleteAllLogs = endpoint(call, {
  writeInBatches: async (context) => {
    const deleted = await deleteMatchingLogs(context, { filter: {} })
    return { ...done(call, 'LOGS_DELETE_ALL_OK'), deleted }
  },
})
