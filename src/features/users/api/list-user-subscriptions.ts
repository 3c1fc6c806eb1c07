import { listEntitlements } from '#features/entitlements/entitlements.reads.ts'
import { listLevels } from '#features/levels/levels.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { getUser } from '../users.actions.ts'
import { describeEntitlement } from '../users.reply.ts'

export const listUserSubscriptions = endpoint(userSubscriptionsContract.listUserSubscriptions, {
  read: async ({ services: { db }, app, params, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    const levels = await listLevels(db.read, app.id)
    const names = new Map(levels.map(({ level, name }) => [level, name]))
    const entitlements = await listEntitlements(db.read, { appId: app.id, userIds: [user.id] })
    const subscriptions = entitlements.map((each) => describeEntitlement(user, each, names, now))
    const running = new Set(subscriptions.filter(({ active }) => active).map(({ level }) => level))
    return {
      subscriptions,
      availableSubscriptions: levels
        .filter(({ level }) => !running.has(level))
        .map(({ level, name, active }) => ({ level, name, active: active === 1 })),
    }
  },
})
