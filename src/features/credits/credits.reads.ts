import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { CreditTransfersTable } from './credits.table.ts'

/** The credits of one reseller in one app. */
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
