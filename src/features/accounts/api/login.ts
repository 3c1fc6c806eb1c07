import { CallRefused, refuse } from '#contract/refusals.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { countAttempt, forgetAttempts, refuseUntilCooldownEnds } from '#server/login-throttle.ts'
import { accountCost } from '#server/passwords.ts'
import { networkOf } from '#server/rate-limits.ts'
import { sessionHash } from '#server/session-cookies.ts'
import { deleteSession } from '../account-sessions.queries.ts'
import { accountReply, startSession } from '../accounts.actions.ts'
import { accountsContract, accountsRefusals } from '../accounts.contract.ts'
import { findAccount, findAccountByLogin, nameKey } from '../accounts.queries.ts'
import { rememberedSeconds } from '../session-lifetime.rules.ts'

export const login = endpoint(accountsContract.login, {
  prepare: async ({ services, body, caller, now }) => {
    if (body.username.trim() === '' || body.password === '') refuse(accountsRefusals, 'LOGIN_FIELDS_REQUIRED')
    const { platform } = await services.settings.current()
    const rule = {
      mostFailures: platform.maxFailedLoginAttempts,
      cooldownSeconds: platform.loginCooldownMinutes * 60,
    }
    const attempt = { login: nameKey(body.username), network: networkOf(caller.ip), now, rule }
    const wait = await services.db.write((unit) => countAttempt(unit, attempt))
    if (wait > 0) refuseUntilCooldownEnds(wait)
    const account = await findAccountByLogin(services.db.read, body.username)
    const right = await services.passwords.verify(body.password, account?.password_hash, accountCost)
    if (!account || !right) refuse(accountsRefusals, 'LOGIN_FAILED')
    if (account.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
    return { accountId: account.id, attempt }
  },
  unit: async (unit, context, { accountId, attempt }) => {
    const { services, body, caller, now, cookies } = context
    // Read again: a ban or deletion may have come while the password was being checked.
    const account = await findAccount(unit.trx, accountId)
    if (!account) throw new CallRefused(403, 'LOGIN_FAILED', accountsRefusals.LOGIN_FAILED.message)
    if (account.banned) refuse(accountsRefusals, 'ACCOUNT_BANNED')
    const { security } = await services.settings.current()
    const rememberMe = body.rememberMe === true
    await forgetAttempts(unit, attempt.login, attempt.network)
    if (cookies.token) await deleteSession(unit.trx, sessionHash(cookies.token))
    const token = await startSession(unit, account, {
      rememberMe,
      ip: caller.ip,
      userAgent: caller.userAgent,
      now,
      timeoutHours: security.sessionTimeout,
    })
    await recordAudit(unit, context, { act: 'account.login', target: account.username, actorId: account.id })
    unit.afterCommit(() => cookies.start(token, rememberMe ? rememberedSeconds : null))
    return { message: 'Login successful! Welcome back.', user: accountReply(account), userType: 'owner' as const }
  },
})
