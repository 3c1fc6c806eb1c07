import { done } from '#contract/define-call.ts'
import { machineOf } from '#features/users/machines.ts'
import { checkUserChange, editUser as editUserAction } from '#features/users/users.actions.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { endUserCost } from '#server/auth/passwords.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

const call = sellerUsersContract.editUser

export const editUser = endpoint(call, {
  prepare: async ({ services, app, body: { password, email, hwid } }) => {
    checkUserChange({ password, email })
    const passwordHash = password === undefined ? undefined : await services.passwords.hash(password, endUserCost)
    return { passwordHash, machine: hwid ? await machineOf(services, app, hwid) : undefined }
  },
  write: async (tx, context, prepared) => {
    const { params, body, now } = context
    const { email, hwid } = body
    const user = await editUserAction(tx, context, { username: params.username, email, hwid, ...prepared })
    return { ...done(call, 'USER_UPDATE_OK'), user: await describeUser(tx.db, user, now) }
  },
})
