import { removeErasedAccounts } from '#features/profile/profile.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteOwner as deleteOwnerAction } from '../admin.actions.ts'
import { adminContract } from '../admin.contract.ts'

export const deleteOwner = endpoint(adminContract.deleteOwner, {
  write: async (tx, context) => {
    await deleteOwnerAction(tx, context, context.params.id)
    tx.afterCommit(() => void removeErasedAccounts(context.services))
    return { code: 'OWNER_DELETE_OK' }
  },
})
