import { type Insertable, sql, type Transaction, type Updateable } from 'kysely'
import type { Database } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import type { Schema } from '#database/schema.ts'
import type { Account } from './accounts.reads.ts'
import type { AccountSessionsTable, AccountsTable, PendingSignInsTable } from './accounts.table.ts'

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

/** The administrators, each locked until the transaction ends. */
export const lockAdminRows = (trx: Transaction<Schema>): Promise<{ id: string }[]> =>
  trx
    .updateTable('accounts')
    .set((row) => ({ plan: row.ref('plan') }))
    .where('role', '=', sql.lit('admin'))
    .returning('id')
    .execute()

/** False when somebody else was faster with the name or the address. */
export async function insertAccount(trx: Transaction<Schema>, account: Insertable<AccountsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export async function updateAccountRow(
  trx: Transaction<Schema>,
  id: string,
  change: Updateable<AccountsTable>,
): Promise<void> {
  await trx.updateTable('accounts').set(change).where('id', '=', id).execute()
}

/** Of these accounts, those whose plan is `from`. */
export async function updatePlanOfAccounts(
  trx: Transaction<Schema>,
  { ids, from, to }: { ids: readonly string[]; from: string; to: string },
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ plan: to, plan_expires_at: null })
    .where('id', 'in', [...ids])
    .where('plan', '=', from)
    .execute()
}

/** False when the hash has been replaced meanwhile. */
export async function replacePasswordHash(
  trx: Transaction<Schema>,
  { id, password_hash }: Pick<Account, 'id' | 'password_hash'>,
  hash: string,
): Promise<boolean> {
  const result = await trx
    .updateTable('accounts')
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
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

/** Gives the id of the account whose session it was. */
export async function deleteSession(trx: Transaction<Schema>, idHash: string): Promise<string | undefined> {
  const deleted = trx.deleteFrom('account_sessions').where('id_hash', '=', idHash).returning('account_id')
  return (await deleted.executeTakeFirst())?.account_id
}

export async function updateSelectedApp(trx: Transaction<Schema>, idHash: string, appId: string): Promise<void> {
  await trx.updateTable('account_sessions').set({ selected_app_id: appId }).where('id_hash', '=', idHash).execute()
}

export const deleteEndedSessions = (db: Database, now: number): Promise<void> =>
  deleteInBatches(db, 'account_sessions', sql`expires_at <= ${now} order by expires_at`)

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

interface SecondFactorColumns {
  totp_secret_sealed?: string | null
  totp_enabled_at?: number | null
  totp_last_step?: number | null
}

/** Keeps a secret that isn't confirmed yet; false when a second factor is on already. */
export async function setUnconfirmedSecret(trx: Transaction<Schema>, id: string, sealed: string): Promise<boolean> {
  const result = await trx
    .updateTable('accounts')
    .set({ totp_secret_sealed: sealed, totp_last_step: null })
    .where('id', '=', id)
    .where('totp_enabled_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** False when another call confirmed first. */
export async function enableSecret(trx: Transaction<Schema>, id: string, now: number): Promise<boolean> {
  const result = await trx
    .updateTable('accounts')
    .set({ totp_enabled_at: now })
    .where('id', '=', id)
    .where('totp_enabled_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function updateSecondFactor(trx: Transaction<Schema>, id: string, change: SecondFactorColumns) {
  await trx.updateTable('accounts').set(change).where('id', '=', id).execute()
}

/** Takes a step once: of any number of callers one gets it, and none gets an older one after it (R-2FA-02). */
export async function takeStep(trx: Transaction<Schema>, id: string, step: number): Promise<boolean> {
  const result = await trx
    .updateTable('accounts')
    .set({ totp_last_step: step })
    .where('id', '=', id)
    .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function replaceRecoveryCodes(trx: Transaction<Schema>, accountId: string, hashes: readonly string[]) {
  await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map((code_hash) => ({ account_id: accountId, code_hash, used_at: null }))
  await trx.insertInto('recovery_codes').values(rows).execute()
}

/** True once for each code. */
export async function takeRecoveryCode(trx: Transaction<Schema>, accountId: string, hash: string, now: number) {
  const result = await trx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function insertPending(trx: Transaction<Schema>, row: Insertable<PendingSignInsTable>): Promise<void> {
  await trx.insertInto('pending_sign_ins').values(row).execute()
}

export async function deletePending(trx: Transaction<Schema>, hash: string): Promise<boolean> {
  const result = await trx.deleteFrom('pending_sign_ins').where('token_hash', '=', hash).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

export async function deletePendingOf(trx: Transaction<Schema>, accountId: string): Promise<void> {
  await trx.deleteFrom('pending_sign_ins').where('account_id', '=', accountId).execute()
}

export const deleteEndedPending = (db: Database, now: number): Promise<void> =>
  deleteInBatches(db, 'pending_sign_ins', sql`expires_at <= ${now} order by expires_at`)
