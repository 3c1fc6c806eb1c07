import { refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountsContract } from '../accounts.contract.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { lockAccount } from '../accounts.actions.ts'
import { finishSignIn } from '../finish-sign-in.ts'
import { beginCodeAttempt, pendingSignIn, requireSecondFactor, takePendingSignIn } from '../two-factor.actions.ts'

export const loginTwoFactor = endpoint(accountsContract.loginTwoFactor, {
  prepare: async ({ services, body, now }) => {
    const code = body.code ?? body.recoveryCode ?? refuse(accountsRefusals, 'TWO_FACTOR_CODE_REQUIRED')
    const pending = await pendingSignIn(services.db.read, body.pendingToken, now)
    if (!pending) refuse(accountsRefusals, 'SIGN_IN_ENDED')
    await beginCodeAttempt(services, pending.account_id, now)
    return { pending, code }
  },
  write: async (tx, context, { pending, code }) => {
    const account = await lockAccount(tx, pending.account_id)
    if (!account || !(await takePendingSignIn(tx, pending))) refuse(accountsRefusals, 'SIGN_IN_ENDED')
    if (account.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
    await requireSecondFactor(tx, context.services.masterKey, { account, code, now: context.now })
    return finishSignIn(tx, context, account, pending.remember_me === 1)
  },
})
