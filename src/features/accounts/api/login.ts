import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountsContract } from '../accounts.contract.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { signedInReply } from '../accounts.reply.ts'
import { finishLogin, proveLogin } from '../identity-proof.actions.ts'
import { signIn } from '../sign-in.actions.ts'
import { startPendingSignIn } from '../two-factor.actions.ts'

const call = accountsContract.login

export const login = endpoint(call, {
  prepare: async (context) => {
    const { username, password } = context.body
    if (username.trim() === '' || password === '') refuse(accountsRefusals, 'LOGIN_FIELDS_REQUIRED')
    return proveLogin(context, { login: username, password })
  },
  write: async (tx, context, proved) => {
    const { account, proof } = await finishLogin(tx, proved)
    const rememberMe = context.body.rememberMe === true
    if (!proof) {
      const pendingToken = await startPendingSignIn(tx, { accountId: account.id, rememberMe, now: context.now })
      return { ...done(call, 'LOGIN_PASSWORD_OK'), twoFactorRequired: true as const, pendingToken }
    }
    await signIn(tx, context, proof, rememberMe)
    return { ...done(call, 'LOGIN_OK'), ...signedInReply(account) }
  },
})
