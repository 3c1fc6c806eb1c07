import { newDeletion } from '#server/bin/bin-items.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { deleteUser as deleteUserAction } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

export const deleteUser = endpoint(usersContract.deleteUser, {
  write: async (tx, context) => {
    const undoId = newDeletion()
    await deleteUserAction(tx, context, context.body.username, undoId)
    return { code: 'USER_DELETE_OK', undoId }
  },
})
