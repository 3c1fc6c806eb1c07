import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { proveIdentity, reauthenticate as reauthenticateAction } from '../identity-proof.actions.ts'

const call = accountSecurityContract.reauthenticate

export const reauthenticate = endpoint(call, {
  prepare: (context) => proveIdentity(context, context.body),
  write: async (tx, context, proved) => {
    await reauthenticateAction(tx, context, proved, context.body.code)
    return done(call, 'REAUTHENTICATE_OK')
  },
})
