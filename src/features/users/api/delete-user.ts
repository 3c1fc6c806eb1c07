import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { deleteUsers, lockUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

export const deleteUser = endpoint(usersContract.deleteUser, {
  write: async (tx, context) => {
    const { app, body } = context
    const user = await lockUser(tx, app.id, body.username)
    await deleteUsers(tx, app.id, [user])
    await recordAudit(tx, context, { act: 'user.delete', target: user.username })
    return { message: 'User deleted successfully' }
  },
})
