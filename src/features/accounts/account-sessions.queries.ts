import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { AccountSessionsTable } from './accounts.table.ts'

export type AccountSession = Selectable<AccountSessionsTable>

/** A session with what a guard needs of its account, in one read. */
export const findSession = (db: Reader, idHash: string) =>
  db
    .selectFrom('account_sessions')
    .innerJoin('accounts', 'accounts.id', 'account_sessions.account_id')
    .selectAll('account_sessions')
    .select(['accounts.username', 'accounts.role', 'accounts.banned'])
    .where('account_sessions.id_hash', '=', idHash)
    .executeTakeFirst()

export async function insertSession(
  trx: Transaction<Schema>,
  session: Insertable<AccountSessionsTable>,
): Promise<void> {
  await trx.insertInto('account_sessions').values(session).execute()
}

/** Keeps the newest `keep` sessions of an account (R-SES-07) and drops the ended ones. */
export async function trimSessions(trx: Transaction<Schema>, accountId: string, keep: number, now: number) {
  await trx
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([
        where('expires_at', '<=', now),
        where(
          'id_hash',
          'not in',
          where
            .selectFrom('account_sessions as newest')
            .select('newest.id_hash')
            .where('newest.account_id', '=', accountId)
            .orderBy('newest.created_at', 'desc')
            .orderBy('newest.id_hash')
            .limit(keep),
        ),
      ]),
    )
    .execute()
}

export async function updateSessionUse(trx: Transaction<Schema>, idHash: string, now: number, expiresAt: number) {
  await trx
    .updateTable('account_sessions')
    .set({ last_used_at: now, expires_at: expiresAt })
    .where('id_hash', '=', idHash)
    .execute()
}

export async function deleteSession(trx: Transaction<Schema>, idHash: string): Promise<void> {
  await trx.deleteFrom('account_sessions').where('id_hash', '=', idHash).execute()
}

export async function updateSelectedApp(trx: Transaction<Schema>, idHash: string, appId: string): Promise<void> {
  await trx.updateTable('account_sessions').set({ selected_app_id: appId }).where('id_hash', '=', idHash).execute()
}

export async function deleteEndedSessions(trx: Transaction<Schema>, now: number): Promise<void> {
  await trx.deleteFrom('account_sessions').where('expires_at', '<=', now).execute()
}

export const findSessionRow = (db: Reader, idHash: string): Promise<AccountSession | undefined> =>
  db.selectFrom('account_sessions').selectAll().where('id_hash', '=', idHash).executeTakeFirst()

/** An account's live sessions, the last used first. */
export const listSessions = (db: Reader, accountId: string, now: number): Promise<AccountSession[]> =>
  db
    .selectFrom('account_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id_hash')
    .execute()

/** The hash of the session that was deleted; undefined when this account has none of that handle. */
export async function deleteSessionByHandle(trx: Transaction<Schema>, accountId: string, handle: string) {
  const row = await trx
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where('handle', '=', handle)
    .returning('id_hash')
    .executeTakeFirst()
  return row?.id_hash
}

export async function deleteSessionsOf(trx: Transaction<Schema>, accountId: string): Promise<number> {
  const result = await trx.deleteFrom('account_sessions').where('account_id', '=', accountId).executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function updateProvedAt(trx: Transaction<Schema>, idHash: string, now: number): Promise<void> {
  await trx.updateTable('account_sessions').set({ proved_at: now }).where('id_hash', '=', idHash).execute()
}
