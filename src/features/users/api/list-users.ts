import { maxCounted } from '#contract/fields.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { withMachine } from '../machines.ts'
import { usersContract } from '../users.contract.ts'
import { usersPage } from '../users.reply.ts'

export const listUsers = endpoint(usersContract.listUsers, {
  read: async ({ services, app, query, now }) => {
    const { page = 1, limit = 10, count, sort, appName: _name, appId: _id, ...given } = query
    const filter = await withMachine(services, app, given)
    return usersPage(services.db, {
      appId: app.id,
      filter,
      now,
      page,
      limit,
      countUpTo: count ? undefined : maxCounted,
      sort,
    })
  },
})
