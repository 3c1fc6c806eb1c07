import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import type { ClientSessionsTable } from './sessions.table.ts'

export type ClientSession = Selectable<ClientSessionsTable>

const sessionOfToken = preparedQuery((db, { appId, tokenHash }: { appId: string; tokenHash: string }) =>
  db.selectFrom('client_sessions').selectAll().where('app_id', '=', appId).where('token_hash', '=', tokenHash),
)

export async function findClientSession(db: Reader, appId: string, tokenHash: string) {
  return (await sessionOfToken(db, { appId, tokenHash }))[0]
}

/** Live signed-in sessions of all apps; reads them all. */
export async function countAllLiveSessions(reports: Reader, now: number): Promise<number> {
  const { live } = await reports
    .selectFrom('client_sessions')
    .select((select) => select.fn.countAll<number>().as('live'))
    .where('user_id', 'is not', null)
    .where('ended_code', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(live)
}

/** Live signed-in sessions by app. */
export async function countLiveSessions(
  db: Reader,
  appIds: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('client_sessions')
    .select((select) => ['app_id', select.fn.countAll<number>().as('live')])
    .where('app_id', 'in', appIds)
    .where('user_id', 'is not', null)
    .where('ended_code', 'is', null)
    .where('expires_at', '>', now)
    .groupBy('app_id')
    .execute()
  return new Map(rows.map((row) => [row.app_id, Number(row.live)]))
}
