import { endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { endOwnSessions } from '../sign-in.actions.ts'

export const logoutAll = endpoint(accountSecurityContract.logoutAll, {
  write: async (tx, context) => {
    const ended = await endOwnSessions(tx, context)
    return { code: 'LOGOUT_ALL_OK', ended }
  },
})
