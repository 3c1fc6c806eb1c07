import { eraseAccount, signInAgain } from '#features/accounts/accounts.actions.ts'
import { findAccount } from '#features/accounts/accounts.reads.ts'
import { deleteAppsOfOwner } from '#features/apps/apps.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { removeErasedAccounts } from '../erased-accounts.ts'
import { profileContract } from '../profile.contract.ts'

export const deleteAccount = endpoint(profileContract.deleteAccount, {
  write: async (tx, context) => {
    const { services, actor, now, cookies } = context
    const account = (await findAccount(tx.db, actor.id)) ?? signInAgain()
    const apps = await deleteAppsOfOwner(tx, account.id, now)
    await eraseAccount(tx, account.id)
    await recordAudit(tx, context, { act: 'account.delete', target: account.id, details: { apps } })
    tx.afterCommit(() => {
      cookies.end()
      void removeErasedAccounts(services)
    })
    return { message: 'Account deleted successfully' }
  },
})
