import type { Tx } from '#database/database.ts'
import { recordAudit } from '#server/audit.ts'
import type { CallContext } from '#server/endpoint.ts'
import { sessionHash } from '#server/session-cookies.ts'
import { accountReply, startSession } from './accounts.actions.ts'
import type { Account } from './accounts.reads.ts'
import { rememberedSeconds } from './accounts.rules.ts'
import { deleteSession } from './accounts.writes.ts'

type SignInContext = Pick<CallContext, 'services' | 'caller' | 'now' | 'cookies'> & { actor: { type: 'anyone' } }

/** The last step of every way into the dashboard: a fresh session in place of whatever the browser had (R-SES-03). */
export async function finishSignIn(tx: Tx, context: SignInContext, account: Account, rememberMe: boolean) {
  const { services, caller, now, cookies } = context
  const { security } = await services.settings.current()
  if (cookies.token) await deleteSession(tx.db, sessionHash(cookies.token))
  const token = await startSession(tx, account, {
    rememberMe,
    ip: caller.ip,
    userAgent: caller.userAgent,
    now,
    timeoutHours: security.sessionTimeout,
  })
  await recordAudit(tx, context, { act: 'account.login', target: account.username, actorId: account.id })
  tx.afterCommit(() => cookies.start(token, rememberMe ? rememberedSeconds : null))
  return { message: 'Login successful! Welcome back.', user: accountReply(account), userType: 'owner' as const }
}
