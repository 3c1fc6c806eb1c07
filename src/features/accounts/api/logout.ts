import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/endpoint.ts'
import { signOut } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'

export const logout = endpoint(accountsContract.logout, {
  write: async (tx, context) => {
    await signOut(tx, context)
    return done(accountsContract.logout, 'LOGOUT_OK')
  },
})

/** Each of the two ends the session it is given (conflicts C04). */
export const resellerLogout = endpoint(accountsContract.resellerLogout, {
  write: async (tx, context) => {
    await signOut(tx, context)
    return done(accountsContract.resellerLogout, 'LOGOUT_OK')
  },
})
