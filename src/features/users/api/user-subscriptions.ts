import { listEntitlements } from '#features/entitlements/entitlements.reads.ts'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { levelNames, listLevels } from '#features/levels/levels.reads.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { changeEntitlementUndoably, grantUndoably, removeSubscription } from '../user-changes.actions.ts'
import { userSubscriptionsContract as contract } from '../user-subscriptions.contract.ts'
import { getUser, lockUser } from '../users.actions.ts'
import { describeEntitlement } from '../users.reply.ts'

export const userSubscriptionCalls: readonly Endpoint[] = [
  endpoint(contract.listUserSubscriptions, {
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
  }),
  endpoint(contract.addUserSubscription, {
    write: async (tx, context) => {
      const { app, params, body, now } = context
      const user = await lockUser(tx, app.id, params.username)
      const { entitlement, undoId } = await grantUndoably(tx, context, user, {
        level: body.level,
        days: body.duration ?? grantDays.standard,
      })
      const names = await levelNames(tx.db, app.id)
      return {
        code: 'USER_SUBSCRIPTION_ADD_OK',
        subscription: describeEntitlement(user, entitlement, names, now),
        undoId,
      }
    },
  }),
  endpoint(contract.updateUserSubscription, {
    write: async (tx, context) => {
      const { app, params, body, now } = context
      const { duration: days, expiry, active, before } = body
      const user = await lockUser(tx, app.id, params.username)
      const change = { level: params.id, days, expiry, active, before }
      const { entitlement, undoId } = await changeEntitlementUndoably(tx, context, user, change)
      const names = await levelNames(tx.db, app.id)
      return {
        code: 'USER_SUBSCRIPTION_UPDATE_OK',
        subscription: describeEntitlement(user, entitlement, names, now),
        undoId,
      }
    },
  }),
  endpoint(contract.removeUserSubscription, {
    write: async (tx, context) => {
      const { app, params } = context
      const user = await lockUser(tx, app.id, params.username)
      const undoId = await removeSubscription(tx, context, user, params.id)
      return { code: 'USER_SUBSCRIPTION_REMOVE_OK', undoId }
    },
  }),
]
