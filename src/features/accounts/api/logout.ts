import { endpoint } from '#server/endpoint.ts'
import { sessionHash } from '#server/session-cookies.ts'
import { deleteSession } from '../account-sessions.queries.ts'
import { accountsContract } from '../accounts.contract.ts'

export const logout = endpoint(accountsContract.logout, {
  unit: async (unit, { cookies }) => {
    if (cookies.token) await deleteSession(unit.trx, sessionHash(cookies.token))
    unit.afterCommit(() => cookies.end())
    return { message: 'Logged out' }
  },
})
