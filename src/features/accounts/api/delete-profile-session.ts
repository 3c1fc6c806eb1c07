import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { endOwnSession } from '../accounts.actions.ts'

const call = accountSecurityContract.deleteProfileSession

export const deleteProfileSession = endpoint(call, {
  write: async (tx, context) => {
    await endOwnSession(tx, context, context.params.id)
    return done(call, 'SESSION_DELETE_OK')
  },
})
