import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import { paceDays, type Spending } from './credits.rules.ts'
import type { CreditTransfersTable } from './credits.table.ts'

export interface CreditScope {
  appId: string
  resellerId: string
}

export async function findBalance(db: Reader, { appId, resellerId }: CreditScope): Promise<number> {
  const row = await db
    .selectFrom('credit_accounts')
    .select('balance')
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', 'balance')
    .executeTakeFirst()
  return Number(row?.balance ?? 0)
}

export interface Balance extends CreditScope {
  balance: number
}

/** The balances of these resellers in these apps. */
export async function listBalances(
  db: Reader,
  { appIds, resellerIds }: { appIds: readonly string[]; resellerIds: readonly string[] },
): Promise<Balance[]> {
  if (appIds.length === 0 || resellerIds.length === 0) return []
  const rows = await db
    .selectFrom('credit_accounts')
    .select(['app_id', 'reseller_id', 'balance'])
    .where('app_id', 'in', [...appIds])
    .where('reseller_id', 'in', [...resellerIds])
    .where('kind', '=', 'balance')
    .execute()
  return rows.map((row) => ({ appId: row.app_id, resellerId: row.reseller_id, balance: Number(row.balance) }))
}

export type Transfer = Selectable<CreditTransfersTable>

/** The newest transfers of the reseller's balance; with `before`, those with smaller IDs. */
export const listTransfers = (
  db: Reader,
  { appId, resellerId, limit, before }: CreditScope & { limit: number; before?: number | undefined },
): Promise<Transfer[]> =>
  db
    .selectFrom('credit_transfers')
    .selectAll()
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .where('kind', '<>', 'settlement')
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

const daySeconds = 86_400

/**
 * What the reseller spent on licenses in the last 30 days, from the ledger; for `reports`. The transfers are read from
 * the newest back to the first one of that time, so the age of the ledger doesn't matter.
 */
export async function readSpending(db: Reader, { now, ...scope }: CreditScope & { now: number }): Promise<Spending> {
  const transfers = db
    .selectFrom('credit_transfers')
    .where('app_id', '=', scope.appId)
    .where('reseller_id', '=', scope.resellerId)
  const since = now - paceDays * daySeconds
  const before = await transfers
    .select('id')
    .where('created_at', '<', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const first = await transfers.select('created_at').orderBy('id').limit(1).executeTakeFirst()
  const sums = await transfers
    .select((select) => ['kind', select.fn.sum<number>('amount').as('amount')])
    .where('id', '>', Number(before?.id ?? 0))
    .where('kind', 'in', ['deduction', 'refund'])
    .groupBy('kind')
    .execute()
  const of = (kind: string) => Number(sums.find((sum) => sum.kind === kind)?.amount ?? 0)
  const age = (now - Number(first?.created_at ?? now)) / daySeconds
  return { spent: Math.max(0, of('deduction') - of('refund')), days: Math.min(Math.max(age, 1), paceDays) }
}
