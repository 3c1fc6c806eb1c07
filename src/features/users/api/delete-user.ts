import { done } from '#contract/define-call.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteUser as deleteUserAction } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

const call = usersContract.deleteUser

export const deleteUser = endpoint(call, {
  write: async (tx, context) => {
    const undoId = newDeletion()
    await deleteUserAction(tx, context, context.body.username, undoId)
    return { ...done(call, 'USER_DELETE_OK'), undoId }
  },
})
