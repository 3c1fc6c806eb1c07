import { done } from '#contract/define-call.ts'
import { checkUserChange, editUser as editUserAction } from '#features/users/users.actions.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { endpoint } from '#server/endpoint.ts'
import { endUserCost } from '#server/passwords.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

const call = sellerUsersContract.editUser

export const editUser = endpoint(call, {
  prepare: async ({ services, body: { password, email } }): Promise<string | undefined> => {
    checkUserChange({ password, email })
    return password === undefined ? undefined : services.passwords.hash(password, endUserCost)
  },
  write: async (tx, context, passwordHash) => {
    const { params, body, now } = context
    const { email, hwid } = body
    const user = await editUserAction(tx, context, { username: params.username, email, hwid, passwordHash })
    return { ...done(call, 'USER_UPDATE_OK'), user: await describeUser(tx.db, user, now) }
  },
})
