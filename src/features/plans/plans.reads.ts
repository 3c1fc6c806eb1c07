import type { Reader } from '#database/database.ts'
import { findAccountPlan } from '#features/accounts/accounts.reads.ts'
import { type Plan, planOf, plans } from './plans.rules.ts'

/** The plan of an account; of one that is gone, the smallest. */
export async function planOfAccount(db: Reader, accountId: string, now: number): Promise<Plan> {
  const account = await findAccountPlan(db, accountId)
  return account ? planOf(account, now) : plans.Free
}
