import type { Static } from 'typebox'
import type { AccountReply } from './accounts.contract.ts'
import type { Account } from './accounts.reads.ts'

/** An account as its owner sees it. */
export const accountReply = (account: Account): Static<typeof AccountReply> => ({
  id: account.id,
  ownerid: account.id,
  username: account.username,
  email: account.email,
  displayName: account.display_name,
  role: account.role,
  createdAt: account.created_at,
  timeZone: account.time_zone,
})

/** The signed-in account. */
export const signedInReply = (account: Account) => ({ user: accountReply(account), userType: 'owner' as const })
