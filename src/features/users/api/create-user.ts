import { endpoint } from '#server/http/endpoint.ts'
import { hashForNewUser } from '../user-passwords.actions.ts'
import { addUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

export const createUser = endpoint(usersContract.createUser, {
  prepare: (context) => hashForNewUser(context, context.body),
  write: async (tx, context, hashed) => {
    const { username, email } = context.body
    const user = await addUser(tx, context, { username, passwordHash: hashed(), email })
    return { code: 'USER_CREATE_OK', user: await describeUser(tx.db, user, context.now) }
  },
})
