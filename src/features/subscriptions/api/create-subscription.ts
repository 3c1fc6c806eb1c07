import type { Tx } from '#database/database.ts'
import { firstLevel } from '#features/apps/apps.rules.ts'
import { createLevel } from '#features/levels/levels.actions.ts'
import { findLevel, type Level } from '#features/levels/levels.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { subscriptionsContract } from '../subscriptions.contract.ts'
import { subscriptionReply } from '../subscriptions.reply.ts'

export const createSubscription = endpoint(subscriptionsContract.createSubscription, {
  write: async (tx, context) => {
    const { level, name, active = true } = context.body
    const form = { level, name, active }
    const created = (await findFirstLevel(tx, context.app.id, form)) ?? (await createLevel(tx, context, form))
    return { code: 'SUBSCRIPTION_CREATE_OK', subscription: subscriptionReply(created, 0) }
  },
})

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
