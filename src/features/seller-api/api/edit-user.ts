import { checkUserChange, editUser as editUserAction, lockUser } from '#features/users/users.actions.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { endUserCost } from '#server/passwords.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

export const editUser = endpoint(sellerUsersContract.editUser, {
  prepare: async ({ services, body: { password, email } }): Promise<string | undefined> => {
    checkUserChange({ password, email })
    return password === undefined ? undefined : services.passwords.hash(password, endUserCost)
  },
  write: async (tx, context, passwordHash) => {
    const { app, params, body, now } = context
    const { email, hwid } = body
    const before = await lockUser(tx, app.id, params.username)
    const user = await editUserAction(tx, before, { email, hwid, passwordHash })
    const details = { email: email !== undefined, password: passwordHash !== undefined, hwid: hwid === '' }
    await recordAudit(tx, context, { act: 'user.edit', target: user.username, details })
    return { message: 'User updated successfully', user: await describeUser(tx.db, user, now) }
  },
})
