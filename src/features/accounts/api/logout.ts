import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { signOut } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { otherSignIn } from '../other-sign-ins.ts'

export const logout = endpoint(accountsContract.logout, {
  write: async (tx, context) => {
    const endsOther = !context.cookies.token && (await otherSignIn(context.services)?.signOut(tx, context))
    if (!endsOther) await signOut(tx, context)
    return done(accountsContract.logout, 'LOGOUT_OK')
  },
})

/** Each of the two ends the session it is given. */
export const resellerLogout = endpoint(accountsContract.resellerLogout, {
  write: async (tx, context) => {
    if (!(await otherSignIn(context.services)?.signOut(tx, context))) await signOut(tx, context)
    return done(accountsContract.resellerLogout, 'LOGOUT_OK')
  },
})
