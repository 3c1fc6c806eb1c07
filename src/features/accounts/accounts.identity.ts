import type { FastifyRequest } from 'fastify'
import { acceptedLanguage } from '#contract/language.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import type { AccountActor } from '#server/audit/actors.ts'
import { updateSession } from '#server/auth/sessions.ts'
import type { Person, SessionRow, SignInTables } from '#server/auth/sign-in-tables.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import { accountTables } from './account-kind.ts'
import { rememberLanguage } from './accounts.actions.ts'
import { findSession } from './accounts.reads.ts'
import { sessionExpiry, shouldRecordUse } from './accounts.rules.ts'

/** The session of a token. A banned account has none. */
export async function accountOfToken(
  services: Services,
  request: FastifyRequest,
  token: string,
): Promise<AccountActor | null> {
  const session = await findSession(services.db.read, sessionHash(token))
  if (!session || session.banned === 1) return null
  const account = { id: session.account_id, language: session.language }
  if (!(await prolongSession(services, request, accountTables, { session, person: account }))) return null
  return {
    type: session.role,
    id: session.account_id,
    username: session.username,
    sessionHash: session.id_hash,
    verifiedAt: session.proved_at,
    selectedAppId: session.selected_app_id,
  }
}

interface UsedSession {
  session: Omit<SessionRow, 'person_id'>
  person: Pick<Person, 'id' | 'language'>
}

/** Whether a session is still valid; a call with it extends it. */
export async function prolongSession(
  services: Services,
  request: FastifyRequest,
  tables: SignInTables,
  { session, person }: UsedSession,
): Promise<boolean> {
  const now = epochSeconds(services)
  const { security } = await services.settings.current()
  const expiryAt = (lastUsedAt: number) =>
    sessionExpiry(
      { createdAt: session.created_at, lastUsedAt, rememberMe: session.remember_me === 1 },
      security.sessionTimeout,
    )
  // A shorter timeout also applies to existing sessions.
  if (session.expires_at <= now || expiryAt(session.last_used_at) <= now) return false
  if (!shouldRecordUse(session.last_used_at, now)) return true
  // If nothing can be written, reads continue; the session then ends slightly earlier.
  await services.db
    .write(async (tx) => {
      await updateSession(tx.db, tables, session.id_hash, { last_used_at: now, expires_at: expiryAt(now) })
      await rememberLanguage(tx, tables, person, acceptedLanguage(request.headers['accept-language']))
    })
    .catch((error: unknown) => {
      if (!databaseIsUnavailable(error)) throw error
    })
  return true
}
