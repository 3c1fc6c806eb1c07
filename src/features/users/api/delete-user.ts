import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteUser as deleteUserAction } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

const call = usersContract.deleteUser

export const deleteUser = endpoint(call, {
  write: async (tx, context) => {
    await deleteUserAction(tx, context, context.body.username)
    return done(call, 'USER_DELETE_OK')
  },
})
