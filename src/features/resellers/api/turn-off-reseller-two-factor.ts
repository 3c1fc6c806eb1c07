import { endpoint } from '#server/http/endpoint.ts'
import { turnOffTwoFactor } from '../resellers.actions.ts'
import { resellersContract } from '../resellers.contract.ts'

export const turnOffResellerTwoFactor = endpoint(resellersContract.turnOffResellerTwoFactor, {
  write: async (tx, context) => {
    await turnOffTwoFactor(tx, context, context.params.id)
    return { code: 'TWO_FACTOR_OFF_OK' }
  },
})
