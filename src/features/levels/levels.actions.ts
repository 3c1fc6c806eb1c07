import { refuse } from '#contract/refusals.ts'
import type { Reader, Tx } from '#database/database.ts'
import { levelsRefusals } from './levels.refusals.ts'
import { findLevel, type Level, nextLevel } from './levels.reads.ts'
import { deleteLevelRow, flipLevel, insertLevel, lockLevelRow, updateLevel } from './levels.writes.ts'

const highestLevel = 1_000_000

const maxRounds = 50

interface NewLevel {
  appId: string
  level?: number | undefined
  name: string
  active: boolean
  now: number
}

/** Creates a level; without one it is the highest plus one (part 1 §5 Subscriptions). */
export async function createLevel(tx: Tx, form: NewLevel): Promise<Level> {
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
  return refuse(levelsRefusals, 'SUBSCRIPTION_LEVEL_TAKEN')
}

interface LevelChange {
  appId: string
  level: number
  name: string
  active?: boolean | undefined
}

export async function changeLevel(tx: Tx, { appId, level, name, active }: LevelChange): Promise<Level> {
  const change = { name: nameOf(name), ...(active !== undefined && { active: active ? 1 : 0 }) }
  const updated = await updateLevel(tx.db, appId, level, change)
  if (!updated) refuse(levelsRefusals, 'SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${appId}`)
  return updated
}

/** Pauses or activates a level for every user of it; without `active` it becomes what it isn't. */
export async function setLevelActive(
  tx: Tx,
  { appId, level, active }: { appId: string; level: number; active?: boolean | undefined },
): Promise<Level> {
  const updated =
    active === undefined
      ? await flipLevel(tx.db, appId, level)
      : await updateLevel(tx.db, appId, level, { active: active ? 1 : 0 })
  if (!updated) refuse(levelsRefusals, 'SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${appId}`)
  return updated
}

/** The level, or `SUBSCRIPTION_NOT_FOUND`. */
export async function getLevel(db: Reader, appId: string, level: number): Promise<Level> {
  return (await findLevel(db, appId, level)) ?? refuse(levelsRefusals, 'SUBSCRIPTION_NOT_FOUND')
}

/** The same for transactions that give the level to something: it is not deleted before they end. */
export async function lockLevel(tx: Tx, appId: string, level: number): Promise<Level> {
  return (await lockLevelRow(tx.db, appId, level)) ?? refuse(levelsRefusals, 'SUBSCRIPTION_NOT_FOUND')
}

/** Only when nothing refers to it any more. */
export async function deleteLevel(tx: Tx, appId: string, level: number): Promise<void> {
  await deleteLevelRow(tx.db, appId, level)
  tx.publish(`access:${appId}`)
}

function nameOf(text: string): string {
  const name = text.trim()
  if (name === '') refuse(levelsRefusals, 'SUBSCRIPTION_NAME_REQUIRED')
  return name
}
