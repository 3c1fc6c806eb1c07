import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { endUserCost } from '#server/passwords/passwords.ts'
import { addUser, checkNewUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

const call = usersContract.createUser

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
