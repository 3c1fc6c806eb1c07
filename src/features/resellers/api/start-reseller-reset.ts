import { endpoint } from '#server/http/endpoint.ts'
import { startResellerReset as startAction } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

export const startResellerReset = endpoint(resellersContract.startResellerReset, {
  write: async (tx, context) => {
    const link = await startAction(tx, context, context.params.id)
    return link ? { code: 'RESET_LINK_OK', ...link } : { code: 'RESELLER_RESET_OK' }
  },
})
