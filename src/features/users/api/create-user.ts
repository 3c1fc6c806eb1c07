import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { endUserCost } from '#server/passwords.ts'
import { addUser, checkNewUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

export const createUser = endpoint(usersContract.createUser, {
  prepare: ({ services, body }) => {
    checkNewUser(body)
    return services.passwords.hash(body.password, endUserCost)
  },
  write: async (tx, context, passwordHash) => {
    const { app, body, now } = context
    const { username, email = '' } = body
    const user = await addUser(tx, { appId: app.id, username, passwordHash, email, now })
    await recordAudit(tx, context, { act: 'user.create', target: user.username })
    return { message: 'User created successfully', user: await describeUser(tx.db, user, now) }
  },
})
