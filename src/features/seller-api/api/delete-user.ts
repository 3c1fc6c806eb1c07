import { heldUser } from '#features/users/user-account.actions.ts'
import { deleteUsers } from '#features/users/users.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

export const deleteUser = endpoint(sellerUsersContract.deleteUser, {
  unit: async (unit, context) => {
    const { app, params } = context
    const user = await heldUser(unit, app.id, params.username)
    await deleteUsers(unit, app.id, [user.id])
    await recordAudit(unit, context, { act: 'user.delete', target: user.username })
    return { message: 'User deleted successfully' }
  },
})
