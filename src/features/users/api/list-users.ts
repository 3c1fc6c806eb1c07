import { endpoint } from '#server/endpoint.ts'
import { usersContract } from '../users.contract.ts'
import { usersPage } from '../users.reply.ts'

export const listUsers = endpoint(usersContract.listUsers, {
  read: ({ services: { db }, app, query, now }) => {
    const { page = 1, limit = 10, search, status, level } = query
    return usersPage(db, { appId: app.id, filter: { search, status, level }, now, page, limit })
  },
})
