import { withMachine } from '#features/users/machines.ts'
import { getUser } from '#features/users/users.actions.ts'
import { describeUser, usersPage } from '#features/users/users.reply.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

export const listUsers = endpoint(sellerUsersContract.listUsers, {
  read: async ({ services, app, query, now }) => {
    const { page = 1, limit = 10, search, status, level } = query
    const filter = await withMachine(services, app, { search, status, level })
    return usersPage(services.db, { appId: app.id, filter, page, limit, now })
  },
})

export const readUser = endpoint(sellerUsersContract.getUser, {
  read: async ({ services: { db }, app, params, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    return { user: await describeUser(db.read, user, now) }
  },
})
