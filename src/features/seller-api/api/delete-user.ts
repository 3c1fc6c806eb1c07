import { deleteUsers, lockUser } from '#features/users/users.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

export const deleteUser = endpoint(sellerUsersContract.deleteUser, {
  write: async (tx, context) => {
    const { app, params } = context
    const user = await lockUser(tx, app.id, params.username)
    await deleteUsers(tx, app.id, [user])
    await recordAudit(tx, context, { act: 'user.delete', target: user.username })
    return { message: 'User deleted successfully' }
  },
})
