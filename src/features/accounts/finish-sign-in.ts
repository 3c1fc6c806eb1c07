import type { Unit } from '#database/database.ts'
import { recordAudit } from '#server/audit.ts'
import type { CallContext } from '#server/endpoint.ts'
import { sessionHash } from '#server/session-cookies.ts'
import { deleteSession } from './account-sessions.queries.ts'
import { type Account, accountReply, startSession } from './accounts.actions.ts'
import { rememberedSeconds } from './session-lifetime.rules.ts'

type SignInContext = Pick<CallContext, 'services' | 'caller' | 'now' | 'cookies'> & { actor: { type: 'anyone' } }

/** The last step of every way into the dashboard: a fresh session in place of whatever the browser had (R-SES-03). */
export async function finishSignIn(unit: Unit, context: SignInContext, account: Account, rememberMe: boolean) {
  const { services, caller, now, cookies } = context
  const { security } = await services.settings.current()
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
}
