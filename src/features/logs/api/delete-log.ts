import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteLog as deleteLogAction } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

const call = logsContract.deleteLog

export const deleteLog = endpoint(call, {
  write: async (tx, context) => {
    await deleteLogAction(tx, context, context.body.logId)
    return done(call, 'LOG_DELETE_OK')
  },
})
