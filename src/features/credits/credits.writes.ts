import type { Insertable } from 'kysely'
import type { Transaction } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import type { CreditScope } from './credits.reads.ts'
import type { AccountKind, CreditTransfersTable } from './credits.table.ts'

export interface LockedAccounts {
  balances: Record<AccountKind, number>
  closed: boolean
}

const kinds = ['balance', 'source', 'spent'] as const

/** Creates missing accounts. */
export async function ensureAccounts(
  trx: Transaction,
  { appId: app_id, resellerId: reseller_id }: CreditScope,
): Promise<void> {
  await trx
    .insertInto('credit_accounts')
    .values(kinds.map((kind) => ({ app_id, reseller_id, kind, balance: 0 })))
    .onConflict((conflict) => conflict.columns(['app_id', 'reseller_id', 'kind']).doNothing())
    .execute()
}

/** The accounts, locked in a fixed order before any transfer is written; undefined if there are none. */
export async function lockAccounts(
  trx: Transaction,
  { appId, resellerId }: CreditScope,
): Promise<LockedAccounts | undefined> {
  const query = trx
    .selectFrom('credit_accounts')
    .select(['kind', 'balance', 'closed'])
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .orderBy('kind')
  const rows = await locking(trx, query).execute()
  if (rows.length === 0) return undefined
  const balances = Object.fromEntries(rows.map(({ kind, balance }) => [kind, Number(balance)]))
  return { balances: balances as Record<AccountKind, number>, closed: rows.some(({ closed }) => closed === 1) }
}

export async function setAccountsClosed(
  trx: Transaction,
  { appId, resellerId }: CreditScope,
  closed: boolean,
): Promise<void> {
  await trx
    .updateTable('credit_accounts')
    .set({ closed: closed ? 1 : 0 })
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .execute()
}

const rowsPerInsert = 250

/** Writes transfers between locked accounts and updates the balances. */
export async function insertTransfers(
  trx: Transaction,
  { appId, resellerId }: CreditScope,
  transfers: readonly Omit<Insertable<CreditTransfersTable>, 'app_id' | 'reseller_id'>[],
): Promise<void> {
  const change: Record<AccountKind, number> = { balance: 0, source: 0, spent: 0 }
  for (const { debit, credit, amount } of transfers) {
    change[debit] -= amount
    change[credit] += amount
  }
  for (let from = 0; from < transfers.length; from += rowsPerInsert) {
    const rows = transfers.slice(from, from + rowsPerInsert)
    await trx
      .insertInto('credit_transfers')
      .values(rows.map((row) => ({ ...row, app_id: appId, reseller_id: resellerId })))
      .execute()
  }
  for (const kind of kinds) {
    if (change[kind] === 0) continue
    await trx
      .updateTable('credit_accounts')
      .set((row) => ({ balance: row('balance', '+', change[kind]) }))
      .where('app_id', '=', appId)
      .where('reseller_id', '=', resellerId)
      .where('kind', '=', kind)
      .execute()
  }
}
