import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { sessionHash } from '#server/session-cookies.ts'
import { signIn } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { findPending } from '../accounts.reads.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { signedInReply } from '../accounts.reply.ts'
import { beginCodeAttempt, finishPendingSignIn } from '../two-factor.actions.ts'

const call = accountsContract.loginTwoFactor

export const loginTwoFactor = endpoint(call, {
  prepare: async ({ services, body, now }) => {
    const code = body.code ?? body.recoveryCode ?? refuse(accountsRefusals, 'TWO_FACTOR_CODE_REQUIRED')
    const pending = await findPending(services.db.read, sessionHash(body.pendingToken), now)
    if (!pending) refuse(accountsRefusals, 'SIGN_IN_ENDED')
    await beginCodeAttempt(services, pending.account_id, now)
    return { pending, code }
  },
  write: async (tx, context, { pending, code }) => {
    const { services, now } = context
    const account = await finishPendingSignIn(tx, services.masterKey, { pending, code, now })
    await signIn(tx, context, account, pending.remember_me === 1)
    return { ...done(call, 'LOGIN_OK'), ...signedInReply(account) }
  },
})
