import { endpoint } from '#server/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { listLevelsWithUsers } from '../subscriptions.queries.ts'

export const listSubscriptions = endpoint(subscriptionsContract.listSubscriptions, {
  read: async ({ services: { db }, app }) => {
    const rows = await listLevelsWithUsers(db.reports, app.id)
    return {
      subscriptions: rows.map(({ level, name, active, user_count }) => ({
        level,
        name,
        active: active === 1,
        userCount: Number(user_count ?? 0),
      })),
    }
  },
})
