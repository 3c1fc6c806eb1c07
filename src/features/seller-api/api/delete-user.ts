import { done } from '#contract/define-call.ts'
import { deleteUser as deleteUserAction } from '#features/users/users.actions.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

const call = sellerUsersContract.deleteUser

export const deleteUser = endpoint(call, {
  write: async (tx, context) => {
    await deleteUserAction(tx, context, context.params.username)
    return done(call, 'USER_DELETE_OK')
  },
})
