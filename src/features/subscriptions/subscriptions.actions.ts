import type { Reader, Unit } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import { subscriptionsRefusals } from './subscriptions.contract.ts'
import { findLevel, insertLevel, listLevels, nextLevel, type Subscription } from './subscriptions.queries.ts'

/** Creates a level; without one it is the highest plus one (part 1 §5 Subscriptions). */
export async function createSubscription(
  unit: Unit,
  form: { appId: string; level?: number | undefined; name: string; active: boolean; now: number },
): Promise<Subscription> {
  const name = form.name.trim()
  if (name === '') refuse(subscriptionsRefusals, 'SUBSCRIPTION_NAME_REQUIRED')
  const level = form.level ?? (await nextLevel(unit.trx, form.appId))
  const row = { app_id: form.appId, level, name, active: form.active ? 1 : 0, created_at: form.now }
  if (!(await insertLevel(unit.trx, row))) refuse(subscriptionsRefusals, 'SUBSCRIPTION_LEVEL_TAKEN')
  return row
}

/** The level, or `SUBSCRIPTION_NOT_FOUND`. */
export async function existingLevel(db: Reader, appId: string, level: number): Promise<Subscription> {
  return (await findLevel(db, appId, level)) ?? refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
}

/** Names of an app's levels. */
export async function levelNames(db: Reader, appId: string): Promise<Map<number, string>> {
  return new Map((await listLevels(db, appId)).map(({ level, name }) => [level, name]))
}
