import { countAll } from '#database/count-all.ts'
import { sql } from 'kysely'
import type { Database, Reader, Transaction } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { type PendingSignIn, rowsOf, type SignInTables } from './sign-in-tables.ts'

/** Stores a secret that is not confirmed yet; false if two-factor authentication is already on. */
export async function setUnconfirmedSecret(
  trx: Transaction,
  tables: SignInTables,
  id: string,
  sealed: string,
): Promise<boolean> {
  const { db, people } = rowsOf(trx, tables)
  const result = await db
    .updateTable(people)
    .set({ totp_secret_sealed: sealed, totp_last_step: null })
    .where('id', '=', id)
    .where('totp_enabled_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Turns on the secret that was verified; false if another call confirmed or replaced it first. */
export async function enableSecret(
  trx: Transaction,
  tables: SignInTables,
  { id, sealed, now }: { id: string; sealed: string; now: number },
): Promise<boolean> {
  const { db, people } = rowsOf(trx, tables)
  const result = await db
    .updateTable(people)
    .set({ totp_enabled_at: now })
    .where('id', '=', id)
    .where('totp_secret_sealed', '=', sealed)
    .where('totp_enabled_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function deleteSecondFactor(trx: Transaction, tables: SignInTables, id: string): Promise<void> {
  const { db, people } = rowsOf(trx, tables)
  const nothing = { totp_secret_sealed: null, totp_enabled_at: null, totp_last_step: null }
  await db.updateTable(people).set(nothing).where('id', '=', id).execute()
  await replaceRecoveryCodes(trx, tables, id, [])
  await deletePendingOf(trx, tables, id)
}

/** Accepts each step once: exactly one caller succeeds, and no older step is accepted afterwards. */
export async function takeStep(trx: Transaction, tables: SignInTables, id: string, step: number): Promise<boolean> {
  const { db, people } = rowsOf(trx, tables)
  const result = await db
    .updateTable(people)
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function replaceRecoveryCodes(
  trx: Transaction,
  tables: SignInTables,
  personId: string,
  hashes: readonly string[],
): Promise<void> {
  const { db, recoveryCodes, person } = rowsOf(trx, tables)
  await db.deleteFrom(recoveryCodes).where(person, '=', personId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((code_hash) => ({ [person]: personId, code_hash, used_at: null }))
  await db
    .insertInto(recoveryCodes)
    .values(rows as unknown as { person_id: string; code_hash: string; used_at: null }[])
    .execute()
}

/** True once for each code. */
export async function takeRecoveryCode(
  trx: Transaction,
  tables: SignInTables,
  { id, hash, now }: { id: string; hash: string; now: number },
): Promise<boolean> {
  const { db, recoveryCodes, person } = rowsOf(trx, tables)
  const result = await db
    .updateTable(recoveryCodes)
    .set({ used_at: now })
    .where(person, '=', id)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

const unusedCodes = (reader: Reader, tables: SignInTables, personId: string) => {
  const { db, recoveryCodes, person } = rowsOf(reader, tables)
  return db.selectFrom(recoveryCodes).where(person, '=', personId).where('used_at', 'is', null)
}

export const countRecoveryCodes = (db: Reader, tables: SignInTables, personId: string): Promise<number> =>
  countAll(unusedCodes(db, tables, personId))

export async function hasRecoveryCode(
  db: Reader,
  tables: SignInTables,
  personId: string,
  hash: string,
): Promise<boolean> {
  const query = unusedCodes(db, tables, personId).where('code_hash', '=', hash).select('code_hash')
  return (await query.executeTakeFirst()) !== undefined
}

export async function insertPending(
  trx: Transaction,
  tables: SignInTables,
  { person_id, ...row }: PendingSignIn,
): Promise<void> {
  const { db, pending, person } = rowsOf(trx, tables)
  await db
    .insertInto(pending)
    .values({ ...row, [person]: person_id } as PendingSignIn)
    .execute()
}

export const findPending = (
  reader: Reader,
  tables: SignInTables,
  hash: string,
  now: number,
): Promise<PendingSignIn | undefined> => {
  const { db, pending, person } = rowsOf(reader, tables)
  return db
    .selectFrom(pending)
    .select(['token_hash', 'remember_me', 'expires_at'])
    .select(sql<string>`${sql.ref(person)}`.as('person_id'))
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** True for exactly one caller. */
export async function deletePending(trx: Transaction, tables: SignInTables, hash: string): Promise<boolean> {
  const { db, pending } = rowsOf(trx, tables)
  const result = await db.deleteFrom(pending).where('token_hash', '=', hash).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

export async function deletePendingOf(trx: Transaction, tables: SignInTables, personId: string): Promise<void> {
  const { db, pending, person } = rowsOf(trx, tables)
  await db.deleteFrom(pending).where(person, '=', personId).execute()
}

export const deleteEndedPending = (db: Database, { pending }: SignInTables, now: number): Promise<void> =>
  deleteInBatches(db, pending, sql`expires_at <= ${now} order by expires_at`)
