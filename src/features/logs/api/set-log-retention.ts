import { endpoint } from '#server/http/endpoint.ts'
import { setLogRetention as setRetention } from '../logs.actions.ts'
import { logsContract } from '../logs.contract.ts'

export const setLogRetention = endpoint(logsContract.setLogRetention, {
  write: async (tx, context) => {
    const { days, before } = context.body
    await setRetention(tx, context, { days, before })
    return { code: 'LOG_RETENTION_OK', values: { days }, days }
  },
})
