import type { FastifyRequest } from 'fastify'
import { acceptedLanguage } from '#contract/language.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import type { AccountActor } from '#server/http/actors.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { sessionHash } from '#server/http/session-cookies.ts'
import { rememberLanguage } from './accounts.actions.ts'
import { findSession } from './accounts.reads.ts'
import { sessionExpiry, shouldRecordUse } from './accounts.rules.ts'
import { updateSessionUse } from './accounts.writes.ts'

/** Whose session a token opens. A banned account has none (R-AUTH-14). */
export async function accountOfToken(
  services: Services,
  request: FastifyRequest,
  token: string,
): Promise<AccountActor | null> {
  const now = epochSeconds(services)
  const session = await findSession(services.db.read, sessionHash(token))
  if (!session || session.banned === 1 || session.expires_at <= now) return null
  const { security } = await services.settings.current()
  const expiryAt = (lastUsedAt: number) =>
    sessionExpiry(
      { createdAt: session.created_at, lastUsedAt, rememberMe: session.remember_me === 1 },
      security.sessionTimeout,
    )
  // A shorter time-out ends the sessions that are open, too.
  if (expiryAt(session.last_used_at) <= now) return null
  if (shouldRecordUse(session.last_used_at, now)) {
    const expiresAt = expiryAt(now)
    // While nothing can be written, what only reads goes on; the session then ends a little earlier.
    await services.db
      .write(async (tx) => {
        await updateSessionUse(tx.db, session.id_hash, now, expiresAt)
        const account = { id: session.account_id, language: session.language }
        await rememberLanguage(tx, account, acceptedLanguage(request.headers['accept-language']))
      })
      .catch((error: unknown) => {
        if (!databaseIsUnavailable(error)) throw error
      })
  }
  return {
    type: session.role,
    id: session.account_id,
    username: session.username,
    sessionHash: session.id_hash,
    provedAt: session.proved_at,
    selectedAppId: session.selected_app_id,
  }
}
