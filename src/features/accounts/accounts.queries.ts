import type { Insertable, Selectable, Transaction, Updateable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { AccountsTable } from './accounts.table.ts'

export type Account = Selectable<AccountsTable>

/** Names and addresses are compared without regard to case. */
export const nameKey = (name: string): string => name.trim().toLowerCase()

export const findAccount = (db: Reader, id: string): Promise<Account | undefined> =>
  db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()

export const findAccountPlan = (db: Reader, id: string) =>
  db.selectFrom('accounts').select(['plan', 'plan_expires_at']).where('id', '=', id).executeTakeFirst()

/**
 * The account as it is now and stays until the transaction ends: on PostgreSQL the update locks its row, without
 * blocking rows that only refer to it.
 */
export const lockAccountRow = (trx: Transaction<Schema>, id: string): Promise<Account | undefined> =>
  trx
    .updateTable('accounts')
    .set((row) => ({ plan: row.ref('plan') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const findAccountByLogin = (db: Reader, login: string): Promise<Account | undefined> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where((where) => where.or([where('username_key', '=', nameKey(login)), where('email_key', '=', nameKey(login))]))
    .executeTakeFirst()

export async function isAccountTaken(db: Reader, username: string, email: string): Promise<boolean> {
  const taken = await db
    .selectFrom('accounts')
    .select('id')
    .where((where) =>
      where.or([where('username_key', '=', nameKey(username)), where('email_key', '=', nameKey(email))]),
    )
    .executeTakeFirst()
  return taken !== undefined
}

/** False when somebody else was faster with the name or the address. */
export async function insertAccount(trx: Transaction<Schema>, account: Insertable<AccountsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export async function hasAdmin(db: Reader): Promise<boolean> {
  const admin = await db.selectFrom('accounts').select('id').where('role', '=', 'admin').executeTakeFirst()
  return admin !== undefined
}

export async function isEmailOfAnother(db: Reader, id: string, email: string): Promise<boolean> {
  const other = await db
    .selectFrom('accounts')
    .select('id')
    .where('email_key', '=', nameKey(email))
    .where('id', '<>', id)
    .executeTakeFirst()
  return other !== undefined
}

export async function updateAccountRow(
  trx: Transaction<Schema>,
  id: string,
  change: Updateable<AccountsTable>,
): Promise<void> {
  await trx.updateTable('accounts').set(change).where('id', '=', id).execute()
}

/** Accounts that are gone but for their row: no name that somebody chose has a space in it. */
export async function listErased(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('username_key', '>=', 'deleted ')
    .where('username_key', '<', 'deleted!')
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteAccountRow(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.deleteFrom('accounts').where('id', '=', id).execute()
}

export async function insertSetupToken(trx: Transaction<Schema>, hash: string, expiresAt: number): Promise<void> {
  await trx.deleteFrom('setup_tokens').execute()
  await trx.insertInto('setup_tokens').values({ token_hash: hash, expires_at: expiresAt }).execute()
}

/** True once for a token that is still valid. */
export async function takeSetupToken(trx: Transaction<Schema>, hash: string, now: number): Promise<boolean> {
  const taken = await trx
    .deleteFrom('setup_tokens')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return Number(taken.numDeletedRows) === 1
}
