import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { heldUser } from '../user-account.actions.ts'
import { deleteUsers } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'

export const deleteUser = endpoint(usersContract.deleteUser, {
  unit: async (unit, context) => {
    const { app, body } = context
    const user = await heldUser(unit, app.id, body.username)
    await deleteUsers(unit, app.id, [user.id])
    await recordAudit(unit, context, { act: 'user.delete', target: user.username })
    return { message: 'User deleted successfully' }
  },
})
