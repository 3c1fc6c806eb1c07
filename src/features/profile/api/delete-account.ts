import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteAccount as deleteAccountAction, removeErasedAccounts } from '../profile.actions.ts'
import { profileContract } from '../profile.contract.ts'

const call = profileContract.deleteAccount

export const deleteAccount = endpoint(call, {
  write: async (tx, context) => {
    await deleteAccountAction(tx, context)
    tx.afterCommit(() => void removeErasedAccounts(context.services))
    return done(call, 'ACCOUNT_DELETE_OK')
  },
})
