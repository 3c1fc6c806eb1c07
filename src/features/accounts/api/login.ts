import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import type { CallContext } from '#server/http/endpoint.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountsContract } from '../accounts.contract.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { signedInReply } from '../accounts.reply.ts'
import { findAccountByLogin } from '../accounts.reads.ts'
import { finishLogin, proveLogin } from '../identity-proof.actions.ts'
import { otherSignIn } from '../other-sign-ins.ts'
import { signIn } from '../sign-in.actions.ts'
import { startPendingSignIn } from '../two-factor.actions.ts'

const call = accountsContract.login

export const login = endpoint(call, {
  prepare: async (context) => {
    const { username, password } = context.body
    if (username.trim() === '' || password === '') refuse(accountsRefusals, 'LOGIN_FIELDS_REQUIRED')
    const form = { login: username, password }
    const other = await otherOf(context, username)
    return other ? { finish: await other.prove(context, form) } : { proved: await proveLogin(context, form) }
  },
  write: async (tx, context, { proved, finish }) => {
    if (finish) return { ...done(call, 'LOGIN_OK'), ...(await finish(tx, context.body.rememberMe === true)) }
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

/** Whoever has this name without having an account. */
async function otherOf({ services }: CallContext<typeof call>, login: string) {
  const other = otherSignIn(services)
  if (!other || (await findAccountByLogin(services.db.read, login))) return undefined
  return (await other.isTaken(services.db.read, login)) ? other : undefined
}
