import { getUser } from '#features/users/users.actions.ts'
import { describeUser, usersPage } from '#features/users/users.reply.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerUsersContract } from '../seller-users.contract.ts'

export const listUsers = endpoint(sellerUsersContract.listUsers, {
  read: ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, search, status, level } = query
    return usersPage(db, { appId: app.id, filter: { search, status, level }, page, limit, now })
  },
})

export const readUser = endpoint(sellerUsersContract.getUser, {
  read: async ({ services: { db }, app, params, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    return { user: await describeUser(db.read, user, now) }
  },
})
