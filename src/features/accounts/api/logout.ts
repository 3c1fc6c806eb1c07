import { endpoint } from '#server/http/endpoint.ts'
import { accountKind } from '../account-kind.ts'
import { accountsContract } from '../accounts.contract.ts'
import { signOut } from '../sign-in.actions.ts'
import { signInKinds } from '../sign-in-kinds.ts'

/** Each of the two calls ends the session of its own kind, or the other one if there is none. */
export const logout = endpoint(accountsContract.logout, {
  write: async (tx, context) => {
    const kinds = context.cookies.token ? [accountKind] : signInKinds(context.services)
    await signOut(tx, context, kinds)
    return { code: 'LOGOUT_OK' }
  },
})

export const resellerLogout = endpoint(accountsContract.resellerLogout, {
  write: async (tx, context) => {
    await signOut(tx, context, signInKinds(context.services).toReversed())
    return { code: 'LOGOUT_OK' }
  },
})
