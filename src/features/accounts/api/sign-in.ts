import { reject } from '#contract/errors.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { accountSecurityContract } from '../account-security.contract.ts'
import { getAccount } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { accountsErrors } from '../accounts.errors.ts'
import { signedInReply } from '../accounts.reply.ts'
import { finishPendingSignIn, verifyCode, verifyLogin } from '../identity-verification.actions.ts'
import { signInKinds } from '../sign-in-kinds.ts'
import { endOwnSessions, logIn, signIn, signOut } from '../sign-in.actions.ts'
import { findPendingSignIn } from '../two-factor.actions.ts'

export const signInCalls: readonly Endpoint[] = [
  endpoint(accountsContract.login, {
    prepare: async (context) => {
      const { username, password } = context.body
      if (username.trim() === '' || password === '') reject(accountsErrors, 'LOGIN_FIELDS_REQUIRED')
      return verifyLogin(context, { login: username, password })
    },
    write: (tx, context, proved) => logIn(tx, context, proved, context.body.rememberMe === true),
  }),
  endpoint(accountsContract.loginTwoFactor, {
    prepare: async (context) => {
      const { services, body, now } = context
      const code = body.code ?? body.recoveryCode ?? reject(accountsErrors, 'TWO_FACTOR_CODE_REQUIRED')
      const found = await findPendingSignIn(services, body.pendingToken, now)
      if (!found) reject(accountsErrors, 'SIGN_IN_ENDED')
      await verifyCode(context, found.kind, { id: found.pending.person_id, code })
      return { ...found, code }
    },
    write: async (tx, context, { kind, pending, code }) => {
      const verification = await finishPendingSignIn(tx, context, kind, { pending, code })
      return { code: 'LOGIN_OK', ...(await signIn(tx, context, verification, pending.remember_me === 1)) }
    },
  }),
  endpoint(accountsContract.checkAuth, {
    read: async ({ services, actor }) => signedInReply(await getAccount(services.db.read, actor.id)),
  }),
  /** Each of the two calls ends the session of its own kind, or the other one if there is none. */
  endpoint(accountsContract.logout, {
    write: async (tx, context) => {
      await signOut(tx, context, signInKinds(context.services))
      return { code: 'LOGOUT_OK' }
    },
  }),
  endpoint(accountsContract.resellerLogout, {
    write: async (tx, context) => {
      await signOut(tx, context, signInKinds(context.services).toReversed())
      return { code: 'LOGOUT_OK' }
    },
  }),
  endpoint(accountSecurityContract.logoutAll, {
    write: async (tx, context) => {
      const ended = await endOwnSessions(tx, context)
      return { code: 'LOGOUT_ALL_OK', ended }
    },
  }),
]
