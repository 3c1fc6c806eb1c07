import { type Insertable, sql, type Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { lockNames } from '#database/row-lock.ts'
import { type Account, hasSetupToken } from './accounts.reads.ts'
import type { AccountsTable } from './accounts.table.ts'

/**
 * The current account, locked until the transaction ends: on PostgreSQL, the update locks its row without blocking rows
 * that refer to it.
 */
export const lockAccountRow = (trx: Transaction, id: string): Promise<Account | undefined> =>
  trx
    .updateTable('accounts')
    .set((row) => ({ plan: row.ref('plan') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** The administrators, each locked until the transaction ends. */
export const lockAdminRows = (trx: Transaction): Promise<{ id: string }[]> =>
  trx
    .updateTable('accounts')
    .set((row) => ({ plan: row.ref('plan') }))
    .where('role', '=', sql.lit('admin'))
    .returning('id')
    .execute()

/** False if another call has just taken the name or the address. */
export async function insertAccount(trx: Transaction, account: Insertable<AccountsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export async function updateAccountRow(trx: Transaction, id: string, change: Updateable<AccountsTable>): Promise<void> {
  await trx.updateTable('accounts').set(change).where('id', '=', id).execute()
}

/** Of these accounts, those whose plan is `from`. */
export async function updatePlanOfAccounts(
  trx: Transaction,
  { ids, from, to }: { ids: readonly string[]; from: string; to: string },
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ plan: to, plan_expires_at: null })
    .where('id', 'in', [...ids])
    .where('plan', '=', from)
    .execute()
}

export async function deleteAccountRow(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('accounts').where('id', '=', id).execute()
}

/** Not a name that an account can have. */
const firstAdminName = 'the first administrator'

/** Serializes what creates the first administrator, or a link for it, in all processes. */
export const lockFirstAdmin = (trx: Transaction): Promise<void> => lockNames(trx, [firstAdminName])

/** Replaces the previous token. `lockFirstAdmin` must be held. */
export async function insertSetupToken(trx: Transaction, hash: string, expiresAt: number): Promise<void> {
  await trx.deleteFrom('setup_tokens').execute()
  await trx.insertInto('setup_tokens').values({ token_hash: hash, expires_at: expiresAt }).execute()
}

/** True once for a valid token, after which no token is valid. */
export async function takeSetupToken(trx: Transaction, hash: string, now: number): Promise<boolean> {
  await lockFirstAdmin(trx)
  const isValid = await hasSetupToken(trx, hash, now)
  if (isValid) await trx.deleteFrom('setup_tokens').execute()
  return isValid
}

export async function updateSelectedApp(trx: Transaction, idHash: string, appId: string): Promise<void> {
  await trx.updateTable('account_sessions').set({ selected_app_id: appId }).where('id_hash', '=', idHash).execute()
}
