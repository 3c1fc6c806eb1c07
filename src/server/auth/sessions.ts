import { sql } from 'kysely'
import type { Database, Reader, Transaction } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { rowsOf, type SessionRow, type SignInTables } from './sign-in-tables.ts'

export async function insertSession(
  trx: Transaction,
  tables: SignInTables,
  { person_id, ...session }: SessionRow,
): Promise<void> {
  const { db, sessions, person } = rowsOf(trx, tables)
  await db
    .insertInto(sessions)
    .values({ ...session, [person]: person_id } as SessionRow)
    .execute()
}

/** Keeps the newest `keep` sessions of an account and deletes ended ones. */
export async function trimSessions(
  trx: Transaction,
  tables: SignInTables,
  personId: string,
  { keep, now }: { keep: number; now: number },
): Promise<void> {
  const { db, sessions, person } = rowsOf(trx, tables)
  const newest = db
    .selectFrom(sessions)
    .select('id_hash')
    .where(person, '=', personId)
    .orderBy('created_at', 'desc')
    .orderBy('id_hash')
    .limit(keep)
  await db
    .deleteFrom(sessions)
    .where(person, '=', personId)
    .where((where) => where.or([where('expires_at', '<=', now), where('id_hash', 'not in', newest)]))
    .execute()
}

export const findSessionRow = (db: Reader, tables: SignInTables, idHash: string): Promise<SessionRow | undefined> => {
  const of = rowsOf(db, tables)
  return of.db.selectFrom(of.sessions).selectAll().where('id_hash', '=', idHash).executeTakeFirst()
}

/** The sessions of an account that have not expired, most recently used first. */
export const listSessions = (
  db: Reader,
  tables: SignInTables,
  personId: string,
  now: number,
): Promise<SessionRow[]> => {
  const of = rowsOf(db, tables)
  return of.db
    .selectFrom(of.sessions)
    .selectAll()
    .where(of.person, '=', personId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id_hash')
    .execute()
}

export async function updateSession(
  trx: Transaction,
  tables: SignInTables,
  idHash: string,
  change: Partial<Pick<SessionRow, 'last_used_at' | 'expires_at' | 'proved_at'>>,
): Promise<void> {
  const { db, sessions } = rowsOf(trx, tables)
  await db.updateTable(sessions).set(change).where('id_hash', '=', idHash).execute()
}

/** Returns the account ID of the session. */
export async function deleteSession(
  trx: Transaction,
  tables: SignInTables,
  idHash: string,
): Promise<string | undefined> {
  const { db, sessions, person } = rowsOf(trx, tables)
  const ended = await db
    .deleteFrom(sessions)
    .where('id_hash', '=', idHash)
    .returning(sql<string>`${sql.ref(person)}`.as('id'))
    .executeTakeFirst()
  return ended?.id
}

/** Hash of the deleted session; undefined if the account has no session with this handle. */
export async function deleteSessionByHandle(
  trx: Transaction,
  tables: SignInTables,
  personId: string,
  handle: string,
): Promise<string | undefined> {
  const { db, sessions, person } = rowsOf(trx, tables)
  const ended = await db
    .deleteFrom(sessions)
    .where(person, '=', personId)
    .where('handle', '=', handle)
    .returning('id_hash')
    .executeTakeFirst()
  return ended?.id_hash
}

/** Deletes all sessions of an account, or all but one. */
export async function deleteSessionsOf(
  trx: Transaction,
  tables: SignInTables,
  personId: string,
  exceptHash = '',
): Promise<void> {
  const { db, sessions, person } = rowsOf(trx, tables)
  await db.deleteFrom(sessions).where(person, '=', personId).where('id_hash', '<>', exceptHash).execute()
}

export const deleteEndedSessions = (db: Database, { sessions }: SignInTables, now: number): Promise<void> =>
  deleteInBatches(db, sessions, sql`expires_at <= ${now} order by expires_at`)
