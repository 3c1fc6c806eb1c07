import { endpoint } from '#server/http/endpoint.ts'
import { deleteLog as deleteLogAction } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

export const deleteLog = endpoint(logsContract.deleteLog, {
  write: async (tx, context) => {
    await deleteLogAction(tx, context, context.body.logId)
    return { code: 'LOG_DELETE_OK' }
  },
})
