import type { Tx } from '#database/database.ts'
import { hasRoom, planOf, type PlanLimits, unlimited } from '#features/accounts/plans.rules.ts'
import { findOwnerPlan, lockApp } from './apps.queries.ts'

interface Room {
  appId: string
  kind: Exclude<keyof PlanLimits, 'apps'>
  /** How many there are to be more. */
  adding: number
  now: number
  /** How many there are; asked only under a limit, after the app's row is held. */
  count: () => Promise<number>
  refuse: (limit: number) => never
}

/**
 * Refuses what the owner's plan has no room for. Under a limit the app's row is held first, so that
 * of many parallel transactions each sees what the one before it made (R-LIC-05).
 */
export async function requireRoom(tx: Tx, { appId, kind, adding, now, count, refuse }: Room): Promise<void> {
  const bought = await findOwnerPlan(tx.db, appId)
  if (!bought) return
  const limit = planOf(bought, now).limits[kind]
  if (limit === unlimited) return
  await lockApp(tx.db, appId)
  if (!hasRoom(limit, await count(), adding)) refuse(limit)
}
