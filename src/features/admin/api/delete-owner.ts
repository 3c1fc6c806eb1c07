import { done } from '#contract/define-call.ts'
import { removeErasedAccounts } from '#features/profile/profile.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteOwner as deleteOwnerAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

const call = adminContract.deleteOwner

export const deleteOwner = endpoint(call, {
  write: async (tx, context) => {
    await deleteOwnerAction(tx, context, context.params.id)
    tx.afterCommit(() => void removeErasedAccounts(context.services))
    return done(call, 'OWNER_DELETE_OK')
  },
})
