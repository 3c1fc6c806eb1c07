import { done } from '#contract/define-call.ts'
import { addUser, checkNewUser } from '#features/users/users.actions.ts'
import { describeUser } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { endUserCost } from '#server/auth/passwords.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

const call = sellerUsersContract.createUser

export const createUser = endpoint(call, {
  prepare: ({ services, body }) => {
    checkNewUser(body)
    return services.passwords.hash(body.password, endUserCost)
  },
  write: async (tx, context, passwordHash) => {
    const { username, email } = context.body
    const user = await addUser(tx, context, { username, passwordHash, email })
    return { ...done(call, 'USER_CREATE_OK'), user: await describeUser(tx.db, user, context.now) }
  },
})
