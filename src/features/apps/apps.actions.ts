import type { Updateable } from 'kysely'
import type { Static } from 'typebox'
import { type Problem, reject, rejectProblem } from '#contract/errors.ts'
import type { Reader, Tx } from '#database/database.ts'
import { isUniqueViolation } from '#database/engine-differences.ts'
import { lockAccount, selectAppOfSession } from '#features/accounts/accounts.actions.ts'
import { createLevel } from '#features/levels/levels.actions.ts'
import { planInForce, planOfAccount } from '#features/plans/plans.reads.ts'
import { type PlanLimits, roomWithin, unlimited } from '#features/plans/plans.rules.ts'
import { type AccountContext, type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changesOf } from '#server/audit/changes.ts'
import { rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { hasPassed } from '#server/clock/has-passed.ts'
import { bcryptCost } from '#server/passwords/bcrypt-hash.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { randomText } from '#server/secrets/random-text.ts'
import { newAppKeys, newSigningKey } from './app-keys.ts'
import type { AppFields, appsContract } from './apps.contract.ts'
import {
  type App,
  appNameKey,
  countOwnApps,
  findOwnApp,
  findOwnerPlan,
  isAppNameTaken,
  listOwnApps,
} from './apps.reads.ts'
import { appsErrors } from './apps.errors.ts'
import { appFields } from './apps.reply.ts'
import {
  appDefaults,
  firstLevel,
  appNameProblem,
  autoUpdateLinkProblem,
  descriptionProblem,
  hashProblem,
  minHwidLengthProblem,
  sessionExpiryProblem,
  versionProblem,
  webhookLinkProblem,
  webloaderLinkProblem,
} from './apps.rules.ts'
import type { AppsTable } from './apps.table.ts'
import { insertApp, insertSigningKey, lockAppRow, lockOwnApp, markAppDeleted, updateAppRow } from './apps.writes.ts'

interface NewApp {
  appName: string
  version?: string | undefined
  description?: string | undefined
}

/** Creates an app with its keys, its first subscription and default settings, and selects it. */
export async function createApp(
  tx: Tx,
  context: AccountContext & { services: { masterKey: MasterKey } },
  { appName, description = '', ...form }: NewApp,
): Promise<App> {
  const { actor, now } = context
  const { masterKey } = context.services
  const version = form.version?.trim() || appDefaults.version
  rejectFirst({
    appName: appNameProblem(appName),
    version: versionProblem(version),
    description: descriptionProblem(description),
  })
  await requireAppQuota(tx, context)
  const id = `app_${randomText(16)}`
  const keys = newAppKeys(masterKey, id)
  const inserted = await insertApp(tx.db, {
    id,
    owner_id: actor.id,
    name: appName.trim(),
    name_key: appNameKey(appName),
    description: description.trim(),
    version,
    created_at: now,
    last_init_at: null,
    deleted_at: null,
    ...keys.columns,
  })
  if (!inserted) reject(appsErrors, 'APP_NAME_TAKEN', { details: { field: 'appName' } })
  await insertSigningKey(tx.db, newSigningKey(masterKey, { appId: id, rootKey: keys.rootKey, serial: 1, now }))
  await selectAppOfSession(tx, actor.sessionHash, id)
  tx.publish(`app:${id}`)
  const app = await getOwnApp(tx.db, actor.id, id)
  await recordAudit(tx, context, { act: 'app.create', target: id, details: { name: app.name } })
  await createLevel(tx, { ...context, app: { id, ownerId: actor.id, name: app.name } }, firstLevel)
  return app
}

/** The row of the account is locked, so that parallel creations count each other (R-LIC-05). */
async function requireAppQuota(tx: Tx, { actor, now }: AccountContext): Promise<void> {
  const limit = (await planOfAccount(tx.db, actor.id, now)).limits.apps
  if (limit === unlimited) return
  await lockAccount(tx, actor.id)
  if (roomWithin(limit, await countOwnApps(tx.db, actor.id)) < 1)
    reject(appsErrors, 'APP_LIMIT_REACHED', { values: { limit } })
}

type Fields = Static<typeof AppFields>

type OwnAppContext = AccountContext & AppContext

type AppChange = Omit<Static<(typeof appsContract)['updateApp']['body']>, 'appId'>

/** Changes only the given fields; takes effect on the next call of each program. */
export async function updateApp(tx: Tx, context: AppContext, form: AppChange): Promise<App> {
  const app = (await lockOwnApp(tx.db, context.app.ownerId, context.app.id)) ?? reject(appsErrors, 'APP_NOT_FOUND')
  const current = appFields(app)
  const change = changeOf(form)
  rejectFirst(changeProblems(form, change, current))
  rejectFieldConflict({ before: form.before, change }, current)
  if (change.appName !== undefined && (await isAppNameTaken(tx.db, app, change.appName))) rejectTakenName()
  const columns = columnsOf(change)
  const updated =
    Object.keys(columns).length === 0
      ? app
      : await updateAppRow(tx.db, app.id, columns).catch((error: unknown) => {
          // On PostgreSQL, a concurrent rename may take the name after the check.
          if (isUniqueViolation(error)) rejectTakenName()
          throw error
        })
  if (!updated) reject(appsErrors, 'APP_NOT_FOUND')
  tx.publish(`app:${app.id}`)
  await recordAudit(tx, context, {
    act: 'app.update',
    target: app.id,
    details: { name: updated.name },
    // Everyone who has the link can write to the channel.
    changes: changesOf(current, change, { hidden: ['discordWebhookLink'] }),
  })
  return updated
}

/** The given fields as they are stored. */
function changeOf({ appName, version, description, settings = {} }: AppChange): Partial<Fields> {
  // The two obfuscation keys arrive swapped and are read-only, so they are ignored.
  const { clientObfuscationKey: _, serverObfuscationKey: __, ...sent } = settings
  return withoutUndefined({
    ...sent,
    appName: appName?.trim(),
    version: (version ?? settings.version)?.trim(),
    description,
    hashToCheck: settings.hashToCheck?.trim().toLowerCase(),
    autoUpdateDownloadLink: settings.autoUpdateDownloadLink?.trim(),
    webloaderDownloadLink: settings.webloaderDownloadLink?.trim(),
    discordWebhookLink: settings.discordWebhookLink?.trim(),
  })
}

function changeProblems(sent: AppChange, change: Partial<Fields>, current: Fields) {
  const changesHash = change.hashCheck !== undefined || change.hashToCheck !== undefined
  const { hashToCheck, hashCheck } = { ...current, ...change }
  return {
    minimumHwidLength: ifSent(change.minimumHwidLength, minHwidLengthProblem),
    sessionExpiryDuration: ifSent(change.sessionExpiryDuration, sessionExpiryProblem),
    hashToCheck: changesHash ? hashProblem(hashToCheck, hashCheck) : undefined,
    autoUpdateDownloadLink: ifSent(change.autoUpdateDownloadLink, autoUpdateLinkProblem),
    webloaderDownloadLink: ifSent(change.webloaderDownloadLink, webloaderLinkProblem),
    discordWebhookLink: ifSent(change.discordWebhookLink, webhookLinkProblem),
    version: ifSent(sent.settings?.version, versionProblem) ?? ifSent(sent.version, versionProblem),
    appName: sent.appName === current.appName ? undefined : ifSent(sent.appName, appNameProblem),
    description: ifSent(change.description, descriptionProblem),
  }
}

const ifSent = <T>(value: T | undefined, problemOf: (value: T) => AppProblem): AppProblem =>
  value === undefined ? undefined : problemOf(value)

const columnsOf = (change: Partial<Fields>): Updateable<AppsTable> =>
  withoutUndefined({
    name: change.appName,
    name_key: change.appName === undefined ? undefined : appNameKey(change.appName),
    version: change.version,
    description: change.description,
    app_status: asFlag(change.appStatus),
    vpn_block: asFlag(change.vpnBlock),
    hwid_lock: asFlag(change.hwidLock),
    hash_check: asFlag(change.hashCheck),
    one_session_per_credential: asFlag(change.oneSessionPerCredential),
    minimum_hwid_length: change.minimumHwidLength,
    session_expiry_seconds: change.sessionExpiryDuration,
    hash_to_check: change.hashToCheck,
    auto_update_link: change.autoUpdateDownloadLink,
    webloader_link: change.webloaderDownloadLink,
    discord_webhook_link: change.discordWebhookLink,
  })

const asFlag = (value: boolean | undefined) => (value === undefined ? undefined : value ? 1 : 0)

function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

type AppProblem = Problem<keyof typeof appsErrors> | undefined

/** Rejects the first problem, with its field. */
function rejectFirst(problems: Record<string, AppProblem>): void {
  for (const [field, problem] of Object.entries(problems)) if (problem) rejectProblem(appsErrors, { ...problem, field })
}

function rejectTakenName(): never {
  reject(appsErrors, 'APP_NAME_TAKEN', { details: { field: 'appName' } })
}

/**
 * Hides a deleted app from everyone immediately; its rows are deleted in batches, because a million rows in one
 * transaction would block all programs (R-TEN-10).
 */
export async function deleteApp(tx: Tx, context: OwnAppContext): Promise<void> {
  const app = await getOwnApp(tx.db, context.actor.id, context.app.id)
  if (!(await hideApp(tx, app, context.now))) reject(appsErrors, 'APP_NOT_FOUND')
  await recordAudit(tx, context, { act: 'app.delete', target: app.id, details: { name: app.name } })
}

/** Deletes all apps of an owner immediately; `purgeDeletedApps` then removes their data. */
export async function deleteAppsOfOwner(tx: Tx, ownerId: string, now: number): Promise<number> {
  const apps = await listOwnApps(tx.db, ownerId)
  for (const app of apps) await hideApp(tx, app, now)
  return apps.length
}

/** False if another call was first. */
async function hideApp(tx: Tx, app: App, now: number): Promise<boolean> {
  const deleted = await markAppDeleted(tx.db, app.id, now)
  tx.publish(`app:${app.id}`)
  return deleted
}

const secondsBetweenStarts = 10

/** Time of the last program start of the app; written at most every ten seconds. */
export async function recordProgramStart(tx: Tx, app: App, now: number): Promise<void> {
  if (app.last_init_at !== null && !hasPassed(secondsBetweenStarts, app.last_init_at, now)) return
  app.last_init_at = now
  await updateAppRow(tx.db, app.id, { last_init_at: now })
}

/** The owner's app, or `APP_NOT_FOUND`. */
export async function getOwnApp(db: Reader, ownerId: string, id: string): Promise<App> {
  return (await findOwnApp(db, ownerId, id)) ?? reject(appsErrors, 'APP_NOT_FOUND')
}

/** Locks the row of the app until the transaction ends, so that counts stay valid. */
export const lockApp = (tx: Tx, appId: string): Promise<unknown> => lockAppRow(tx.db, appId)

interface Quota {
  appId: string
  kind: Exclude<keyof PlanLimits, 'apps' | 'storageMb'>
  now: number
  /** Current number of rows, counted only up to a limit, and only if there is one. */
  count: (limit: number) => Promise<number>
}

async function limitOf(db: Reader, { appId, kind, now }: Quota): Promise<number> {
  const bought = await findOwnerPlan(db, appId)
  return bought ? (await planInForce(db, bought, now)).limits[kind] : unlimited
}

/** Rejects rows that exceed the owner's plan. */
export async function requireQuota(
  tx: Tx,
  { adding, reject, ...quota }: Quota & { adding: number; reject: (limit: number) => never },
): Promise<void> {
  const { room, limit } = await roomInQuota(tx, quota)
  if (adding > room) reject(limit)
}

/**
 * How many rows the owner's plan still allows, and its limit. With a limit, the row of the app is locked before they are
 * counted, so that parallel transactions count each other's rows (R-LIC-05).
 */
export async function roomInQuota(tx: Tx, quota: Quota): Promise<{ room: number; limit: number }> {
  const limit = await limitOf(tx.db, quota)
  if (limit === unlimited) return { room: Infinity, limit }
  await lockApp(tx, quota.appId)
  return { room: roomWithin(limit, await quota.count(limit)), limit }
}

/** The same without a lock, for a preview; null without a limit. */
export async function findPlanRoom(db: Reader, quota: Quota): Promise<number | null> {
  const limit = await limitOf(db, quota)
  return limit === unlimited ? null : roomWithin(limit, await quota.count(limit))
}

/** Notes the cost of bcrypt hashes that users of the app get: wrong passwords then take as long for all users. */
export async function noteImportedHashes(tx: Tx, appId: string, hashes: readonly (string | null)[]): Promise<void> {
  const cost = Math.max(0, ...hashes.map((hash) => bcryptCost(hash ?? '') ?? 0))
  if (cost === 0) return
  const app = await lockAppRow(tx.db, appId)
  if (!app || (app.imported_hash_cost ?? 0) >= cost) return
  await updateAppRow(tx.db, appId, { imported_hash_cost: cost })
  tx.publish(`app:${appId}`)
}

/** For a locked app in which no imported hash is left. */
export async function clearImportedHashCost(tx: Tx, appId: string): Promise<void> {
  await updateAppRow(tx.db, appId, { imported_hash_cost: null })
  tx.publish(`app:${appId}`)
}
