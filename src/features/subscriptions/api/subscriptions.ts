import type { Tx } from '#database/database.ts'
import { firstLevel } from '#features/apps/apps.rules.ts'
import { countEntitledUsers } from '#features/entitlements/entitlements.reads.ts'
import { changeLevel, createLevel, setLevelActive } from '#features/levels/levels.actions.ts'
import { findLevel, type Level } from '#features/levels/levels.reads.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { deleteSubscription } from '../subscriptions.actions.ts'
import { subscriptionsContract as contract } from '../subscriptions.contract.ts'
import { describeLevels, subscriptionReply } from '../subscriptions.reply.ts'

export const subscriptionCalls: readonly Endpoint[] = [
  endpoint(contract.listSubscriptions, {
    read: async ({ services: { db }, app }) => ({ subscriptions: await describeLevels(db, app.id) }),
  }),
  /** An alias of the list. */
  endpoint(contract.manageSubscriptions, {
    read: async ({ services: { db }, app }) => ({ subscriptions: await describeLevels(db, app.id) }),
  }),
  endpoint(contract.createSubscription, {
    write: async (tx, context) => {
      const { level, name, active = true } = context.body
      const form = { level, name, active }
      const created = (await findFirstLevel(tx, context.app.id, form)) ?? (await createLevel(tx, context, form))
      return { code: 'SUBSCRIPTION_CREATE_OK', subscription: subscriptionReply(created, 0) }
    },
  }),
  endpoint(contract.updateSubscription, {
    prepare: ({ services: { db }, app, body }) => countEntitledUsers(db.reports, app.id, body.level),
    write: async (tx, context, userCount) => {
      const { level, name, active, before } = context.body
      const updated = await changeLevel(tx, context, { level, name, active, before })
      return { code: 'SUBSCRIPTION_UPDATE_OK', subscription: subscriptionReply(updated, userCount) }
    },
  }),
  endpoint(contract.toggleSubscriptionStatus, {
    write: async (tx, context) => {
      const { level, active } = context.body
      const updated = await setLevelActive(tx, context, { level, active })
      const isActive = updated.active === 1
      return { code: isActive ? 'SUBSCRIPTION_ACTIVATE_OK' : 'SUBSCRIPTION_PAUSE_OK', active: isActive }
    },
  }),
  endpoint(contract.deleteSubscription, {
    writeInBatches: async (context) => {
      const { level, forceDelete: force = false } = context.body
      const deleted = await deleteSubscription(context.services.db, context, { level, force })
      const { licenses, users, undoId } = deleted
      return { code: 'SUBSCRIPTION_DELETE_OK', deletedLicenses: licenses, removedUsers: users, undoId }
    },
  }),
]

/** API clients create an app and then its first level, which already exists: return it instead of an error. */
async function findFirstLevel(
  tx: Tx,
  appId: string,
  { level, name, active }: { level?: number | undefined; name: string; active: boolean },
): Promise<Level | undefined> {
  if (level !== firstLevel.level || name.trim() !== firstLevel.name || !active) return undefined
  const found = await findLevel(tx.db, appId, level)
  return found?.name === firstLevel.name && found.active === 1 ? found : undefined
}
