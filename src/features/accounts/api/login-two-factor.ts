import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { accountsContract } from '../accounts.contract.ts'
import { accountsErrors } from '../accounts.errors.ts'
import { finishPendingSignIn, verifyCode } from '../identity-verification.actions.ts'
import { signIn } from '../sign-in.actions.ts'
import { findPendingSignIn } from '../two-factor.actions.ts'

export const loginTwoFactor = endpoint(accountsContract.loginTwoFactor, {
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
})
