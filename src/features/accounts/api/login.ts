import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountCost } from '#server/passwords.ts'
import { lockAccount, signIn } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { findAccountByLogin } from '../accounts.reads.ts'
import { accountsRefusals } from '../accounts.refusals.ts'
import { signedInReply } from '../accounts.reply.ts'
import { beginAttempt, endAttempt } from '../identity-proof.actions.ts'
import { hasSecondFactor, startPendingSignIn } from '../two-factor.actions.ts'

const call = accountsContract.login

export const login = endpoint(call, {
  prepare: async ({ services, body, caller, now }) => {
    if (body.username.trim() === '' || body.password === '') refuse(accountsRefusals, 'LOGIN_FIELDS_REQUIRED')
    const attempt = await beginAttempt(services, { login: body.username, ip: caller.ip, now })
    const account = await findAccountByLogin(services.db.read, body.username)
    const right = await services.passwords.verify(body.password, account?.password_hash, accountCost)
    if (!account || !right) refuse(accountsRefusals, 'LOGIN_FAILED')
    if (account.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
    return { proved: account, attempt }
  },
  write: async (tx, context, { proved, attempt }) => {
    // Read again: a ban, deletion or new password may have come while the password was being checked.
    const account = await lockAccount(tx, proved.id)
    if (!account || account.password_hash !== proved.password_hash) {
      refuse(accountsRefusals, 'LOGIN_FAILED')
    }
    if (account.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
    await endAttempt(tx, attempt)
    const rememberMe = context.body.rememberMe === true
    if (hasSecondFactor(account)) {
      const pendingToken = await startPendingSignIn(tx, { accountId: account.id, rememberMe, now: context.now })
      return { ...done(call, 'LOGIN_PASSWORD_OK'), twoFactorRequired: true as const, pendingToken }
    }
    await signIn(tx, context, account, rememberMe)
    return { ...done(call, 'LOGIN_OK'), ...signedInReply(account) }
  },
})
