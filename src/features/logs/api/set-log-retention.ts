import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { setLogRetention as setRetention } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

const call = logsContract.setLogRetention

export const setLogRetention = endpoint(call, {
  write: async (tx, context) => {
    const { days, before } = context.body
    await setRetention(tx, context, { days, before })
    return { ...done(call, 'LOG_RETENTION_OK', { days }), days }
  },
})
