import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { finishSecondFactorProof, proveSecondFactor } from '../identity-proof.actions.ts'
import { disableTwoFactor as disableTwoFactorAction } from '../two-factor.actions.ts'

const call = accountSecurityContract.disableTwoFactor

export const disableTwoFactor = endpoint(call, {
  prepare: (context) => proveSecondFactor(context, context.body),
  write: async (tx, context, proved) => {
    const account = await finishSecondFactorProof(tx, context, proved, context.body.code)
    await disableTwoFactorAction(tx, context, account)
    return done(call, 'TWO_FACTOR_OFF_OK')
  },
})
