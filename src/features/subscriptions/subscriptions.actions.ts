import type { Reader, Tx } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import { subscriptionsRefusals } from './subscriptions.contract.ts'
import {
  findLevel,
  flipLevel,
  lockLevelRow,
  insertLevel,
  listLevels as listLevelRows,
  nextLevel,
  type Subscription,
  updateLevel,
} from './subscriptions.queries.ts'

export type { Subscription }

const highestLevel = 1_000_000
const maxRounds = 50

interface NewSubscription {
  appId: string
  level?: number | undefined
  name: string
  active: boolean
  now: number
}

/** Creates a level; without one it is the highest plus one (part 1 §5 Subscriptions). */
export async function createSubscription(tx: Tx, form: NewSubscription): Promise<Subscription> {
  const name = nameOf(form.name)
  const shared = { app_id: form.appId, name, active: form.active ? 1 : 0, created_at: form.now }
  for (let round = 0; round < maxRounds; round++) {
    const level = form.level ?? (await nextLevel(tx.db, form.appId))
    const row = { ...shared, level }
    if (level <= highestLevel && (await insertLevel(tx.db, row))) {
      // A license may have outlived an earlier level of this number.
      tx.publish(`access:${form.appId}`)
      return row
    }
    // Without a wish the next number is as good as one that somebody else took in this moment.
    if (form.level !== undefined || level > highestLevel) break
  }
  return refuse(subscriptionsRefusals, 'SUBSCRIPTION_LEVEL_TAKEN')
}

interface LevelChange {
  appId: string
  level: number
  name: string
  active?: boolean | undefined
}

export async function updateSubscription(tx: Tx, { appId, level, name, active }: LevelChange): Promise<Subscription> {
  const change = { name: nameOf(name), ...(active !== undefined && { active: active ? 1 : 0 }) }
  const updated = await updateLevel(tx.db, appId, level, change)
  if (!updated) refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${appId}`)
  return updated
}

/** Pauses or activates a level for everybody who holds it; without `active` it becomes what it isn't. */
export async function setSubscriptionActive(
  tx: Tx,
  { appId, level, active }: { appId: string; level: number; active?: boolean | undefined },
): Promise<Subscription> {
  const updated =
    active === undefined
      ? await flipLevel(tx.db, appId, level)
      : await updateLevel(tx.db, appId, level, { active: active ? 1 : 0 })
  if (!updated) refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${appId}`)
  return updated
}

/** The level, or `SUBSCRIPTION_NOT_FOUND`. */
export async function getLevel(db: Reader, appId: string, level: number): Promise<Subscription> {
  return (await findLevel(db, appId, level)) ?? refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
}

/** The same for transactions that give the level to something: it is not deleted before they end. */
export async function lockLevel(tx: Tx, appId: string, level: number): Promise<Subscription> {
  return (await lockLevelRow(tx.db, appId, level)) ?? refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
}

/** An app's levels, lowest first. */
export const listLevels = (db: Reader, appId: string): Promise<Subscription[]> => listLevelRows(db, appId)

export const levelsOf = (db: Reader, appId: string): Promise<Subscription[]> => listLevels(db, appId)

/** Names of an app's levels. */
export async function levelNames(db: Reader, appId: string): Promise<Map<number, string>> {
  return new Map((await listLevels(db, appId)).map(({ level, name }) => [level, name]))
}

function nameOf(text: string): string {
  const name = text.trim()
  if (name === '') refuse(subscriptionsRefusals, 'SUBSCRIPTION_NAME_REQUIRED')
  return name
}
