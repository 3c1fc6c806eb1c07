import type { Reader, Unit } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import { subscriptionsRefusals } from './subscriptions.contract.ts'
import {
  findLevel,
  flipLevel,
  holdLevelRow,
  insertLevel,
  listLevels as listLevelRows,
  nextLevel,
  type Subscription,
  updateLevel,
} from './subscriptions.queries.ts'

export type { Subscription }

const highestLevel = 1_000_000
const mostRounds = 50

interface NewSubscription {
  appId: string
  level?: number | undefined
  name: string
  active: boolean
  now: number
}

/** Creates a level; without one it is the highest plus one (part 1 §5 Subscriptions). */
export async function createSubscription(unit: Unit, form: NewSubscription): Promise<Subscription> {
  const name = nameOf(form.name)
  const shared = { app_id: form.appId, name, active: form.active ? 1 : 0, created_at: form.now }
  for (let round = 0; round < mostRounds; round++) {
    const level = form.level ?? (await nextLevel(unit.trx, form.appId))
    const row = { ...shared, level }
    if (level <= highestLevel && (await insertLevel(unit.trx, row))) {
      // A license may have outlived an earlier level of this number.
      unit.announce(`access:${form.appId}`)
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

export async function updateSubscription(
  unit: Unit,
  { appId, level, name, active }: LevelChange,
): Promise<Subscription> {
  const change = { name: nameOf(name), ...(active !== undefined && { active: active ? 1 : 0 }) }
  const updated = await updateLevel(unit.trx, appId, level, change)
  if (!updated) refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
  unit.announce(`access:${appId}`)
  return updated
}

/** Pauses or activates a level for everybody who holds it; without `active` it becomes what it isn't. */
export async function setSubscriptionActive(
  unit: Unit,
  { appId, level, active }: { appId: string; level: number; active?: boolean | undefined },
): Promise<Subscription> {
  const updated =
    active === undefined
      ? await flipLevel(unit.trx, appId, level)
      : await updateLevel(unit.trx, appId, level, { active: active ? 1 : 0 })
  if (!updated) refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
  unit.announce(`access:${appId}`)
  return updated
}

/** The level, or `SUBSCRIPTION_NOT_FOUND`. */
export async function existingLevel(db: Reader, appId: string, level: number): Promise<Subscription> {
  return (await findLevel(db, appId, level)) ?? refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
}

/** The same for units that give the level to something: it is not deleted before they end. */
export async function holdLevel(unit: Unit, appId: string, level: number): Promise<Subscription> {
  return (await holdLevelRow(unit.trx, appId, level)) ?? refuse(subscriptionsRefusals, 'SUBSCRIPTION_NOT_FOUND')
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
