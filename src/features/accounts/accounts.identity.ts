import type { FastifyRequest } from 'fastify'
import { acceptedLanguage } from '#contract/language.ts'
import type { Reader } from '#database/database.ts'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import type { AccountActor } from '#server/audit/actors.ts'
import { listSessions, updateSession } from '#server/auth/sessions.ts'
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

type Lifetime = Pick<SessionRow, 'created_at' | 'last_used_at' | 'remember_me' | 'expires_at'>

const expiryAfterUse = (session: Lifetime, lastUsedAt: number, timeoutHours: number): number =>
  sessionExpiry({ createdAt: session.created_at, lastUsedAt, rememberMe: session.remember_me === 1 }, timeoutHours)

/** A shorter timeout also applies to existing sessions. */
const endOfSession = (session: Lifetime, timeoutHours: number): number =>
  Math.min(session.expires_at, expiryAfterUse(session, session.last_used_at, timeoutHours))

/** The sessions of an account that are still valid, the one used last first, with the times when they end. */
export async function listLiveSessions(
  { settings }: Pick<Services, 'settings'>,
  db: Reader,
  tables: SignInTables,
  { personId, now }: { personId: string; now: number },
): Promise<SessionRow[]> {
  const { sessionTimeout } = settings.latest.security
  const sessions = await listSessions(db, tables, personId, now)
  return sessions
    .map((session) => ({ ...session, expires_at: endOfSession(session, sessionTimeout) }))
    .filter((session) => session.expires_at > now)
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
  const { sessionTimeout } = (await services.settings.current()).security
  if (endOfSession(session, sessionTimeout) <= now) return false
  if (!shouldRecordUse(session.last_used_at, now)) return true
  // If nothing can be written, reads continue; the session then ends slightly earlier.
  const use = { last_used_at: now, expires_at: expiryAfterUse(session, now, sessionTimeout) }
  await services.db
    .write(async (tx) => {
      await updateSession(tx.db, tables, session.id_hash, use)
      await rememberLanguage(tx, tables, person, acceptedLanguage(request.headers['accept-language']))
    })
    .catch((error: unknown) => {
      if (!databaseIsUnavailable(error)) throw error
    })
  return true
}
