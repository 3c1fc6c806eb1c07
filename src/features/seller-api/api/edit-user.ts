import { checkUserChange, editUser as editUserAction, heldUser } from '#features/users/user-account.actions.ts'
import { describeUser } from '#features/users/user-descriptions.actions.ts'
import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { endUserCost } from '#server/passwords.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

export const editUser = endpoint(sellerUsersContract.editUser, {
  prepare: async ({ services, body: { password, email } }): Promise<string | undefined> => {
    checkUserChange({ password, email })
    return password === undefined ? undefined : services.passwords.hash(password, endUserCost)
  },
  unit: async (unit, context, passwordHash) => {
    const { app, params, body, now } = context
    const { email, hwid } = body
    const before = await heldUser(unit, app.id, params.username)
    const user = await editUserAction(unit, before, { email, hwid, passwordHash })
    const details = { email: email !== undefined, password: passwordHash !== undefined, hwid: hwid === '' }
    await recordAudit(unit, context, { act: 'user.edit', target: user.username, details })
    return { message: 'User updated successfully', user: await describeUser(unit.trx, user, now) }
  },
})
