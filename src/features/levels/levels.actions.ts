import { reject, rejectProblem } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf, changesOf } from '#server/audit/changes.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { levelsErrors } from './levels.errors.ts'
import { levelNameProblem } from './levels.rules.ts'
import { findLevel, type Level, nextLevel } from './levels.reads.ts'
import { deleteLevelRow, insertLevel, lockLevelRow, updateLevel } from './levels.writes.ts'

const highestLevel = 1_000_000

const maxRounds = 50

interface NewLevel {
  level?: number | undefined
  name: string
  active: boolean
}

/** Creates a level; without a number, it gets the highest existing one plus one. */
export async function createLevel(tx: Tx, context: AppContext, form: NewLevel): Promise<Level> {
  const { id: appId } = context.app
  const name = nameOf(form.name)
  const shared = { app_id: appId, name, active: form.active ? 1 : 0, created_at: context.now }
  for (let round = 0; round < maxRounds; round++) {
    const level = form.level ?? (await nextLevel(tx.db, appId))
    const row = { ...shared, level }
    if (level <= highestLevel && (await insertLevel(tx.db, row))) {
      // Licenses of an earlier level with this number may still exist.
      tx.publish(`access:${appId}`)
      await recordAudit(tx, context, { act: 'subscription.create', target: String(level), details: { name } })
      return row
    }
    // Without a requested number, retry with the next one if another call just took this one.
    if (form.level !== undefined || level > highestLevel) break
  }
  return reject(levelsErrors, 'SUBSCRIPTION_LEVEL_TAKEN')
}

interface LevelChange {
  level: number
  name?: string | undefined
  active?: boolean | undefined
  /** The changed fields' values that the caller last saw. */
  before?: { name?: string | undefined; active?: boolean | undefined } | undefined
}

/** Renames, pauses or activates a level; omitted fields keep their value. */
export async function changeLevel(tx: Tx, context: AppContext, form: LevelChange): Promise<Level> {
  const { id: appId } = context.app
  const { level, active } = form
  const change = {
    ...(form.name !== undefined && { name: nameOf(form.name) }),
    ...(active !== undefined && { active: active ? 1 : 0 }),
  }
  const current = await lockLevel(tx, appId, level)
  rejectFieldConflict({ before: form.before, change: form }, { name: current.name, active: current.active === 1 })
  const updated = Object.keys(change).length > 0 ? await updateLevel(tx.db, appId, level, change) : current
  if (!updated) reject(levelsErrors, 'SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${appId}`)
  const details = { name: updated.name, active: updated.active === 1 }
  await recordAudit(tx, context, {
    act: 'subscription.update',
    target: String(level),
    details,
    changes: changesOf({ name: current.name, active: current.active === 1 }, details),
  })
  return updated
}

/** Pauses or activates a level for all its users; toggles it when `active` is omitted. */
export async function setLevelActive(
  tx: Tx,
  context: AppContext,
  { level, active }: { level: number; active?: boolean | undefined },
): Promise<Level> {
  const { id: appId } = context.app
  const current = await lockLevel(tx, appId, level)
  const wanted = active ?? current.active === 0
  const updated = await updateLevel(tx.db, appId, level, { active: wanted ? 1 : 0 })
  if (!updated) reject(levelsErrors, 'SUBSCRIPTION_NOT_FOUND')
  tx.publish(`access:${appId}`)
  const act = updated.active === 1 ? 'subscription.activate' : 'subscription.pause'
  const changes = changeOf('active', current.active === 1, wanted)
  await recordAudit(tx, context, { act, target: String(level), details: { name: updated.name }, changes })
  return updated
}

/** Returns the level, or rejects with `SUBSCRIPTION_NOT_FOUND`. */
export async function getLevel(db: Reader, appId: string, level: number): Promise<Level> {
  return (await findLevel(db, appId, level)) ?? reject(levelsErrors, 'SUBSCRIPTION_NOT_FOUND')
}

/** Like `getLevel`, for transactions that assign the level: prevents its deletion until they end. */
export async function lockLevel(tx: Tx, appId: string, level: number): Promise<Level> {
  return (await lockLevelRow(tx.db, appId, level)) ?? reject(levelsErrors, 'SUBSCRIPTION_NOT_FOUND')
}

/** Those of these levels that exist, which cannot be deleted until the transaction ends. */
export async function lockLevels(tx: Tx, appId: string, levels: Iterable<number>): Promise<Set<number>> {
  const existing = new Set<number>()
  // In a fixed order, to prevent deadlocks.
  for (const level of [...new Set(levels)].toSorted((one, other) => one - other)) {
    if (await lockLevelRow(tx.db, appId, level)) existing.add(level)
  }
  return existing
}

/** The caller ensures that nothing refers to the level anymore. */
export async function deleteLevel(tx: Tx, appId: string, level: number): Promise<void> {
  await deleteLevelRow(tx.db, appId, level)
  tx.publish(`access:${appId}`)
}

/** Restores a deleted level; returns false if there is one with its number. */
export async function restoreLevel(tx: Tx, level: Level): Promise<boolean> {
  tx.publish(`access:${level.app_id}`)
  return insertLevel(tx.db, level)
}

function nameOf(text: string): string {
  const name = text.trim()
  rejectProblem(levelsErrors, levelNameProblem(name))
  return name
}
