import { commonRefusals } from '#contract/common-refusals.ts'
import { refuse } from '#contract/refusals.ts'
import { endpoint } from '#server/endpoint.ts'
import { accountReply } from '../accounts.actions.ts'
import { accountsContract } from '../accounts.contract.ts'
import { findAccount } from '../accounts.reads.ts'

export const checkAuth = endpoint(accountsContract.checkAuth, {
  read: async ({ services, actor }) => {
    const account = await findAccount(services.db.read, actor.id)
    if (!account) refuse(commonRefusals, 'SESSION_REQUIRED')
    return { user: accountReply(account), userType: 'owner' as const }
  },
})
