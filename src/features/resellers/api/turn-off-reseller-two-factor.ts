import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { turnOffTwoFactor } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

const call = resellersContract.turnOffResellerTwoFactor

export const turnOffResellerTwoFactor = endpoint(call, {
  write: async (tx, context) => {
    await turnOffTwoFactor(tx, context, context.params.id)
    return done(call, 'TWO_FACTOR_OFF_OK')
  },
})
