import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sessionHash } from '#server/http/session-cookies.ts'
import { accountsContract } from '../accounts.contract.ts'
import { findPending } from '../accounts.reads.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { signedInReply } from '../accounts.reply.ts'
import { finishPendingSignIn, proveCode } from '../identity-proof.actions.ts'
import { signIn } from '../sign-in.actions.ts'

const call = accountsContract.loginTwoFactor

export const loginTwoFactor = endpoint(call, {
  prepare: async (context) => {
    const { services, body, now } = context
    const code = body.code ?? body.recoveryCode ?? refuse(accountsRefusals, 'TWO_FACTOR_CODE_REQUIRED')
    const pending = await findPending(services.db.read, sessionHash(body.pendingToken), now)
    if (!pending) refuse(accountsRefusals, 'SIGN_IN_ENDED')
    await proveCode(context, pending.account_id, code)
    return { pending, code }
  },
  write: async (tx, context, { pending, code }) => {
    const proof = await finishPendingSignIn(tx, context, { pending, code })
    const account = await signIn(tx, context, proof, pending.remember_me === 1)
    return { ...done(call, 'LOGIN_OK'), ...signedInReply(account) }
  },
})
