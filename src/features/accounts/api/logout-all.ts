import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { endOwnSessions } from '../sign-in.actions.ts'

const call = accountSecurityContract.logoutAll

export const logoutAll = endpoint(call, {
  write: async (tx, context) => {
    const ended = await endOwnSessions(tx, context)
    return { ...done(call, 'LOGOUT_ALL_OK'), ended }
  },
})
