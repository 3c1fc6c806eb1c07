import type { Insertable, Updateable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import type { Reseller, ResellerDomain } from './resellers.reads.ts'
import type { ResellerAppsTable, ResellerDomainsTable, ResellersTable } from './resellers.table.ts'

export async function insertReseller(trx: Transaction, row: Insertable<ResellersTable>): Promise<void> {
  await trx.insertInto('resellers').values(row).execute()
}

export const noPendingEmail = {
  pending_email: null,
  pending_email_token_hash: null,
  pending_email_expires_at: null,
} as const

export const lockResellerRow = (trx: Transaction, id: string): Promise<Reseller | undefined> =>
  locking(trx, trx.selectFrom('resellers').selectAll().where('id', '=', id)).executeTakeFirst()

export async function updateReseller(trx: Transaction, id: string, change: Updateable<ResellersTable>): Promise<void> {
  await trx.updateTable('resellers').set(change).where('id', '=', id).execute()
}

export async function deleteResellerRows(trx: Transaction, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('resellers')
    .where('id', 'in', [...ids])
    .execute()
}

/** Returns false if the app is already assigned. */
export async function insertAssignment(trx: Transaction, row: Insertable<ResellerAppsTable>): Promise<boolean> {
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
  trx: Transaction,
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

export async function deleteAssignment(trx: Transaction, { appId, resellerId }: AssignmentKey): Promise<boolean> {
  const result = await trx
    .deleteFrom('reseller_apps')
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

export const lockDomain = (trx: Transaction, resellerId: string): Promise<ResellerDomain | undefined> =>
  locking(trx, trx.selectFrom('reseller_domains').selectAll().where('reseller_id', '=', resellerId)).executeTakeFirst()

export async function replaceDomain(trx: Transaction, row: Insertable<ResellerDomainsTable>): Promise<void> {
  await deleteDomainRow(trx, row.reseller_id)
  await trx.insertInto('reseller_domains').values(row).execute()
}

type DomainCheck = Pick<Updateable<ResellerDomainsTable>, 'proved_at' | 'checked_at' | 'missing_since' | 'lost_at'>

export async function updateDomainCheck(trx: Transaction, resellerId: string, change: DomainCheck): Promise<void> {
  await trx.updateTable('reseller_domains').set(change).where('reseller_id', '=', resellerId).execute()
}

export async function deleteDomainRow(trx: Transaction, resellerId: string): Promise<boolean> {
  const result = await trx.deleteFrom('reseller_domains').where('reseller_id', '=', resellerId).executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}
