import type { Reader } from '#database/database.ts'
import { findAccount } from './accounts.queries.ts'

/** Whether nothing may happen in an account's name any more; so of one that is gone. */
export async function isAccountBanned(db: Reader, accountId: string): Promise<boolean> {
  const account = await findAccount(db, accountId)
  return account?.banned !== 0
}
