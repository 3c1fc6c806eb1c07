import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { startResellerReset as startAction } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

const call = resellersContract.startResellerReset

export const startResellerReset = endpoint(call, {
  write: async (tx, context) => {
    const link = await startAction(tx, context, context.params.id)
    return link ? { ...done(call, 'RESET_LINK_OK'), ...link } : done(call, 'RESELLER_RESET_OK')
  },
})
