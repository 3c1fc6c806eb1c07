import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { PendingSignInsTable } from './accounts.table.ts'

export type PendingSignIn = Selectable<PendingSignInsTable>

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

export async function countRecoveryCodes(db: Reader, accountId: string): Promise<number> {
  const { n } = await db
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function insertPending(trx: Transaction<Schema>, row: Insertable<PendingSignInsTable>): Promise<void> {
  await trx.insertInto('pending_sign_ins').values(row).execute()
}

export const findPending = (db: Reader, hash: string, now: number): Promise<PendingSignIn | undefined> =>
  db
    .selectFrom('pending_sign_ins')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function deletePending(trx: Transaction<Schema>, hash: string): Promise<boolean> {
  const result = await trx.deleteFrom('pending_sign_ins').where('token_hash', '=', hash).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

export async function deletePendingOf(trx: Transaction<Schema>, accountId: string): Promise<void> {
  await trx.deleteFrom('pending_sign_ins').where('account_id', '=', accountId).execute()
}

export async function deleteEndedPending(trx: Transaction<Schema>, now: number): Promise<void> {
  await trx.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute()
}
