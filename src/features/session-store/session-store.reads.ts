import type { Selectable } from 'kysely'
import { countAll } from '#database/count-all.ts'
import type { Reader } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import { earliestActiveHeartbeat, listedAfterExpirySeconds, type SessionStatus } from './session-store.rules.ts'
import type { ClientSessionsTable } from './session-store.table.ts'

export type ClientSession = Selectable<ClientSessionsTable>

/** A session that is not signed in yet. */
export type StartedSession = Pick<
  ClientSession,
  'app_id' | 'token_hash' | 'handle' | 'ip' | 'country' | 'created_at' | 'expires_at'
>

const sessionOfToken = preparedQuery((db, { appId, tokenHash }: { appId: string; tokenHash: string }) =>
  db.selectFrom('client_sessions').selectAll().where('app_id', '=', appId).where('token_hash', '=', tokenHash),
)

export async function findClientSession(db: Reader, appId: string, tokenHash: string) {
  return (await sessionOfToken(db, { appId, tokenHash }))[0]
}

/** Why the session was ended; null if it wasn't, even if it has expired. */
export async function endedCodeOf(
  db: Reader,
  { app_id: appId, token_hash: tokenHash }: Pick<ClientSession, 'app_id' | 'token_hash'>,
): Promise<string | null> {
  const session = await findClientSession(db, appId, tokenHash)
  return session ? session.ended_code : 'SESSION_ENDED'
}

/** Number of active sessions of all apps; reads all of them. */
export const countAllActiveSessions = (reports: Reader, now: number): Promise<number> =>
  countAll(activeSessions(reports, now))

const activeSessions = (reports: Reader, now: number) =>
  reports
    .selectFrom('client_sessions')
    .where('ended_code', 'is', null)
    .where('expires_at', '>', now)
    .where('last_heartbeat_at', '>=', earliestActiveHeartbeat(now))

/** Number of active sessions by app, consistent with the app's session list. */
export async function countActiveSessions(
  reports: Reader,
  appIds: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map()
  const rows = await activeSessions(reports, now)
    .select((select) => ['app_id', select.fn.countAll<number>().as('active')])
    .where('app_id', 'in', appIds)
    .groupBy('app_id')
    .execute()
  return new Map(rows.map((row) => [row.app_id, Number(row.active)]))
}

/** Number of an app's sessions that were not ended, by their `sessionStatus`. */
export async function countSessionsByStatus(
  reports: Reader,
  appId: string,
  now: number,
): Promise<Record<SessionStatus, number>> {
  const { all, running, active } = await reports
    .selectFrom('client_sessions')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('expires_at', '>', now).as('running'),
      fn
        .countAll<number>()
        .filterWhere('expires_at', '>', now)
        .filterWhere('last_heartbeat_at', '>=', earliestActiveHeartbeat(now))
        .as('active'),
    ])
    .where('app_id', '=', appId)
    .where('ended_code', 'is', null)
    .where('expires_at', '>', now - listedAfterExpirySeconds)
    .executeTakeFirstOrThrow()
  return {
    active: Number(active),
    inactive: Number(running) - Number(active),
    expired: Number(all) - Number(running),
  }
}

/** Number of an app's listed sessions by country, from an index; the country with the most first. */
export async function countSessionsByCountry(reports: Reader, appId: string, now: number) {
  const rows = await reports
    .selectFrom('client_sessions')
    .select(({ fn }) => ['country', fn.countAll<number>().as('n')])
    .where('app_id', '=', appId)
    .where('ended_code', 'is', null)
    .where('expires_at', '>', now - listedAfterExpirySeconds)
    .groupBy('country')
    .execute()
  return rows
    .map(({ country, n }) => ({ country, count: Number(n) }))
    .toSorted((one, other) => other.count - one.count || (one.country < other.country ? -1 : 1))
}
