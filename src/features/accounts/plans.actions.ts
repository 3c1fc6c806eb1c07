import type { Reader, Tx } from '#database/database.ts'
import { findAccountPlan, lockAccountRow } from './accounts.queries.ts'
import { type Plan, planOf, plans } from './plans.rules.ts'

/** The plan of an account; of one that is gone, the smallest. */
export async function planOfAccount(db: Reader, accountId: string, now: number): Promise<Plan> {
  const account = await findAccountPlan(db, accountId)
  return account ? planOf(account, now) : plans.Free
}

/** From here to the end of the transaction no other transaction that does the same for this account goes on (R-LIC-05). */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await lockAccountRow(tx.db, accountId)
}
