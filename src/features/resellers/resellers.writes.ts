import { type Insertable, sql, type Transaction, type Updateable } from 'kysely'
import type { Database } from '#database/database.ts'
import { deleteInBatches } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import type { Schema } from '#database/schema.ts'
import type { Reseller } from './resellers.reads.ts'
import type {
  ResellerAppsTable,
  ResellerDomainsTable,
  ResellerSessionsTable,
  ResellersTable,
} from './resellers.table.ts'

export async function insertReseller(trx: Transaction<Schema>, row: Insertable<ResellersTable>): Promise<void> {
  await trx.insertInto('resellers').values(row).execute()
}

export const noPendingEmail = {
  pending_email: null,
  pending_email_token_hash: null,
  pending_email_expires_at: null,
} as const

export const lockResellerRow = (trx: Transaction<Schema>, id: string): Promise<Reseller | undefined> =>
  locking(trx, trx.selectFrom('resellers').selectAll().where('id', '=', id)).executeTakeFirst()

export async function updateReseller(
  trx: Transaction<Schema>,
  id: string,
  change: Updateable<ResellersTable>,
): Promise<void> {
  await trx.updateTable('resellers').set(change).where('id', '=', id).execute()
}

export async function replaceResellerHash(
  trx: Transaction<Schema>,
  { id, password_hash }: Reseller,
  renewed: string,
): Promise<boolean> {
  const result = await trx
    .updateTable('resellers')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function deleteResellerRows(trx: Transaction<Schema>, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('resellers')
    .where('id', 'in', [...ids])
    .execute()
}

export async function insertResellerSession(
  trx: Transaction<Schema>,
  row: Insertable<ResellerSessionsTable>,
): Promise<void> {
  await trx.insertInto('reseller_sessions').values(row).execute()
}

/** Whose session it was. */
export async function deleteResellerSession(trx: Transaction<Schema>, idHash: string): Promise<string | undefined> {
  const ended = await trx
    .deleteFrom('reseller_sessions')
    .where('id_hash', '=', idHash)
    .returning('reseller_id')
    .executeTakeFirst()
  return ended?.reseller_id
}

export async function deleteSessionsOfReseller(trx: Transaction<Schema>, resellerId: string): Promise<void> {
  await trx.deleteFrom('reseller_sessions').where('reseller_id', '=', resellerId).execute()
}

export const deleteEndedResellerSessions = (db: Database, now: number): Promise<void> =>
  deleteInBatches(db, 'reseller_sessions', sql`expires_at <= ${now} order by expires_at`)

export async function updateResellerSessionUse(
  trx: Transaction<Schema>,
  idHash: string,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<void> {
  await trx
    .updateTable('reseller_sessions')
    .set({ last_used_at: now, expires_at: expiresAt })
    .where('id_hash', '=', idHash)
    .execute()
}

/** False when the reseller has the app already. */
export async function insertAssignment(trx: Transaction<Schema>, row: Insertable<ResellerAppsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('reseller_apps')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app_id', 'reseller_id']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

interface AssignmentKey {
  appId: string
  resellerId: string
}

export async function updateAssignment(
  trx: Transaction<Schema>,
  { appId, resellerId }: AssignmentKey,
  change: Updateable<ResellerAppsTable>,
): Promise<void> {
  await trx
    .updateTable('reseller_apps')
    .set(change)
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .execute()
}

export async function deleteAssignment(
  trx: Transaction<Schema>,
  { appId, resellerId }: AssignmentKey,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('reseller_apps')
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

export async function replaceDomain(trx: Transaction<Schema>, row: Insertable<ResellerDomainsTable>): Promise<void> {
  await deleteDomainRow(trx, row.reseller_id)
  await trx.insertInto('reseller_domains').values(row).execute()
}

type DomainCheck = Pick<Updateable<ResellerDomainsTable>, 'proved_at' | 'checked_at' | 'missing_since' | 'lost_at'>

export async function updateDomainCheck(
  trx: Transaction<Schema>,
  resellerId: string,
  change: DomainCheck,
): Promise<void> {
  await trx.updateTable('reseller_domains').set(change).where('reseller_id', '=', resellerId).execute()
}

export async function deleteDomainRow(trx: Transaction<Schema>, resellerId: string): Promise<boolean> {
  const result = await trx.deleteFrom('reseller_domains').where('reseller_id', '=', resellerId).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}
