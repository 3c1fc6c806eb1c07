import { levelsOf } from '#features/subscriptions/subscriptions.actions.ts'
import { endpoint } from '#server/endpoint.ts'
import { getUser } from '../user-account.actions.ts'
import { describeEntitlement } from '../users.reply.ts'
import { userSubscriptionsContract } from '../user-subscriptions.contract.ts'
import { subscriptionsOf } from '../user-subscriptions.actions.ts'

export const listUserSubscriptions = endpoint(userSubscriptionsContract.listUserSubscriptions, {
  read: async ({ services: { db }, app, params, now }) => {
    const user = await getUser(db.read, app.id, params.username)
    const levels = await levelsOf(db.read, app.id)
    const names = new Map(levels.map(({ level, name }) => [level, name]))
    const held = await subscriptionsOf(db.read, user)
    const subscriptions = held.map((each) => describeEntitlement(user, each, names, now))
    const running = new Set(subscriptions.filter(({ active }) => active).map(({ level }) => level))
    return {
      subscriptions,
      availableSubscriptions: levels
        .filter(({ level }) => !running.has(level))
        .map(({ level, name, active }) => ({ level, name, active: active === 1 })),
    }
  },
})
