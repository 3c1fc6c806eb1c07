import { endpoint } from '#server/http/endpoint.ts'
import { deleteAccount as deleteAccountAction, removeErasedAccounts } from '../profile.actions.ts'
import { profileContract } from '../profile.contract.ts'

export const deleteAccount = endpoint(profileContract.deleteAccount, {
  write: async (tx, context) => {
    await deleteAccountAction(tx, context)
    tx.afterCommit(() => void removeErasedAccounts(context.services))
    return { code: 'ACCOUNT_DELETE_OK' }
  },
})
