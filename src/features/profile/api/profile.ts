import { accountReply } from '#features/accounts/accounts.reply.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { deleteAccount, removeErasedAccounts, updateProfile } from '../profile.actions.ts'
import { profileContract as contract } from '../profile.contract.ts'

export const profileCalls: readonly Endpoint[] = [
  endpoint(contract.updateProfile, {
    write: async (tx, context) => {
      const updated = await updateProfile(tx, context, context.body)
      return { code: 'PROFILE_UPDATE_OK', user: accountReply(updated) }
    },
  }),
  endpoint(contract.deleteAccount, {
    write: async (tx, context) => {
      await deleteAccount(tx, context)
      tx.afterCommit(() => void removeErasedAccounts(context.services))
      return { code: 'ACCOUNT_DELETE_OK' }
    },
  }),
]
