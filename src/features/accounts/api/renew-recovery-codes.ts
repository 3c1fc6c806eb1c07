import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { finishSecondFactorProof, proveSecondFactor } from '../identity-proof.actions.ts'
import { renewRecoveryCodes as renewRecoveryCodesAction } from '../two-factor.actions.ts'

const call = accountSecurityContract.renewRecoveryCodes

export const renewRecoveryCodes = endpoint(call, {
  prepare: (context) => proveSecondFactor(context, context.body),
  write: async (tx, context, proved) => {
    const account = await finishSecondFactorProof(tx, context, proved, context.body.code)
    const recoveryCodes = await renewRecoveryCodesAction(tx, context, account)
    return { ...done(call, 'RECOVERY_CODES_OK'), recoveryCodes }
  },
})
