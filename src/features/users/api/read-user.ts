import { endpoint } from '#server/http/endpoint.ts'
import { getUser } from '../users.actions.ts'
import { usersContract } from '../users.contract.ts'
import { describeUser } from '../users.reply.ts'

export const readUser = endpoint(usersContract.readUser, {
  read: async ({ services: { db }, app, params, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    return { user: await describeUser(db.read, user, now) }
  },
})
