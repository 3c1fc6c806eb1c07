import type { Updateable } from 'kysely'
import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { lockAccount } from '#features/accounts/accounts.actions.ts'
import { planOfAccount } from '#features/plans/plans.reads.ts'
import { hasRoom, type PlanLimits, planOf, unlimited } from '#features/plans/plans.rules.ts'
import type { MasterKey } from '#server/master-key.ts'
import { randomText } from '#server/random-text.ts'
import { newAppKeys, newSigningKey } from './app-keys.ts'
import { settingColumns, type SettingsChange } from './app-settings.ts'
import {
  type App,
  appNameKey,
  countOwnApps,
  findOwnApp,
  findOwnerPlan,
  isAppNameTaken,
  listOwnApps,
} from './apps.reads.ts'
import { appsRefusals } from './apps.refusals.ts'
import { appDefaults, appNameProblem, descriptionProblem, versionProblem } from './apps.rules.ts'
import type { AppsTable } from './apps.table.ts'
import { insertApp, insertSigningKey, lockApp, markAppDeleted, updateAppRow } from './apps.writes.ts'

export interface NewApp {
  ownerId: string
  name: string
  version?: string | undefined
  description?: string | undefined
  now: number
}

/** Creates an app with its keys (DESIGN §5) and the defaults of part 1 §9. */
export async function createApp(tx: Tx, masterKey: MasterKey, form: NewApp): Promise<App> {
  const version = form.version?.trim() || appDefaults.version
  refuseProblem(appNameProblem(form.name) ?? versionProblem(version) ?? descriptionProblem(form.description ?? ''))
  await requireRoomForApp(tx, form)
  const id = `app_${randomText(16)}`
  const keys = newAppKeys(masterKey, id)
  const inserted = await insertApp(tx.db, {
    id,
    owner_id: form.ownerId,
    name: form.name.trim(),
    name_key: appNameKey(form.name),
    description: form.description?.trim() ?? '',
    version,
    created_at: form.now,
    last_init_at: null,
    deleted_at: null,
    ...keys.columns,
  })
  if (!inserted) refuse(appsRefusals, 'APP_NAME_TAKEN')
  const firstKey = newSigningKey(masterKey, { appId: id, rootKey: keys.rootKey, serial: 1, now: form.now })
  await insertSigningKey(tx.db, firstKey)
  tx.publish(`app:${id}`)
  return ownApp(tx, form.ownerId, id)
}

/** The account's row is held, so that of many parallel creations each counts the one before (R-LIC-05). */
async function requireRoomForApp(tx: Tx, { ownerId, now }: NewApp): Promise<void> {
  const limit = (await planOfAccount(tx.db, ownerId, now)).limits.apps
  if (limit === unlimited) return
  await lockAccount(tx, ownerId)
  if (!hasRoom(limit, await countOwnApps(tx.db, ownerId), 1))
    refuse(appsRefusals, 'APP_LIMIT_REACHED', { values: { limit } })
}

export interface AppChange {
  name?: string | undefined
  version?: string | undefined
  description?: string | undefined
  settings?: SettingsChange | undefined
}

const uniqueViolation = '23505'

/** Changes what is given and nothing else; programs feel it on their next call. */
export async function updateApp(tx: Tx, app: App, { name, version, description, settings }: AppChange): Promise<App> {
  const change: Updateable<AppsTable> = settings ? settingColumns(settings, app) : {}
  if (name !== undefined && name !== app.name) {
    refuseProblem(appNameProblem(name))
    const taken = await isAppNameTaken(tx.db, app, name)
    if (taken) refuse(appsRefusals, 'APP_NAME_TAKEN')
    Object.assign(change, { name: name.trim(), name_key: appNameKey(name) })
  }
  if (version !== undefined) {
    refuseProblem(versionProblem(version))
    change.version = version
  }
  if (description !== undefined) {
    refuseProblem(descriptionProblem(description))
    change.description = description
  }
  if (Object.keys(change).length > 0) {
    await updateAppRow(tx.db, app.id, change).catch((error: unknown) => {
      // On PostgreSQL another rename may take the name between the look and the change.
      if ((error as { code?: string }).code === uniqueViolation) refuse(appsRefusals, 'APP_NAME_TAKEN')
      throw error
    })
  }
  tx.publish(`app:${app.id}`)
  return ownApp(tx, app.owner_id, app.id)
}

/**
 * An app is gone at once for everybody; its rows follow in small pieces, because a million of them
 * in one transaction would make every program wait (R-TEN-10). False when another call was first.
 */
export async function deleteApp(tx: Tx, app: App, now: number): Promise<boolean> {
  const deleted = await markAppDeleted(tx.db, app.id, now)
  tx.publish(`app:${app.id}`)
  return deleted
}

const startsNotedEverySeconds = 10

/** When a program of the app last started; written at most every ten seconds. */
export async function recordProgramStart(tx: Tx, app: App, now: number): Promise<void> {
  if (app.last_init_at !== null && now - app.last_init_at < startsNotedEverySeconds) return
  app.last_init_at = now
  await updateAppRow(tx.db, app.id, { last_init_at: now })
}

export async function ownApp(tx: Tx, ownerId: string, id: string): Promise<App> {
  return (await findOwnApp(tx.db, ownerId, id)) ?? refuse(appsRefusals, 'APP_NOT_FOUND')
}

function refuseProblem(problem: string | undefined): void {
  if (problem) refuse(appsRefusals, 'APP_INVALID', { values: { problem } })
}

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

/** All apps of an owner are gone at once; `finishDeletedApps` then removes what was in them. */
export async function deleteAppsOfOwner(tx: Tx, ownerId: string, now: number): Promise<number> {
  const apps = await listOwnApps(tx.db, ownerId)
  for (const app of apps) await deleteApp(tx, app, now)
  return apps.length
}
