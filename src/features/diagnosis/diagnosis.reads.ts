import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Log } from '#features/logs/logs.reads.ts'
import { fingerprintLength } from '#features/users/user-list.rules.ts'
import type { License } from '#features/licenses/licenses.reads.ts'
import type { PastEvent } from './causes.rules.ts'

/** Each query stops after this many rows of one index, however large the app is. */
export const maxEvents = 100
const maxLicenses = 20
const maxUsers = 20

export interface AuditRow {
  id: number
  at: number
  act: string
  target: string
  actor_type: string
  actor_id: string
}

/** The columns by which the log is searched, each with its own index. */
export type LogColumn = 'username' | 'license' | 'hwid_hash' | 'ip'

/** Log entries with this value, newest first; one more than is shown. */
export async function listLogsOf(db: Reader, appId: string, column: LogColumn, value: string): Promise<Log[]> {
  if (value === '') return []
  let query = db.selectFrom('logs').selectAll().where('app_id', '=', appId).where(column, '=', value)
  // The partial indexes exclude rows with an empty value.
  if (column !== 'ip') query = query.where(sql<boolean>`${sql.ref(column)} <> ''`)
  return query
    .orderBy('at', 'desc')
    .limit(maxEvents + 1)
    .execute()
}

const maxRejections = 10

/** Rejections with a request ID, newest first; more than one only by an unlikely chance. */
export const listRejections = (db: Reader, appId: string, requestId: string): Promise<Log[]> =>
  db
    .selectFrom('logs')
    .selectAll()
    .where('app_id', '=', appId)
    .where('request', '=', requestId)
    // The partial index excludes rows with an empty value.
    .where(sql<boolean>`request <> ''`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxRejections)
    .execute()

/** The summary row of a bulk action, which names no object; `2 licenses` may also be the name of a user. */
const isOnMany = ({ act, target }: AuditRow): boolean =>
  /\.bulk-|-(all|used|unused|expired|all-hwid)(\.undo)?$/.test(act) ||
  (act.startsWith('license.') && /^\d+ licenses?$/.test(target)) ||
  (act.startsWith('bin.') && /^\d+ items?$/.test(target)) ||
  // The start of one has the name of its file.
  act.startsWith('import.')

/** Audit rows of actions on a license key, username, level number, session or app, alone or in bulk, newest first. */
export async function listEventsOn(db: Reader, appId: string, target: string): Promise<AuditRow[]> {
  if (target === '') return []
  const name = target.slice(0, 200)
  const limit = maxEvents + 1
  const columns = ['audit.id', 'audit.at', 'audit.act', 'audit.actor_type', 'audit.actor_id'] as const
  const alone = await db
    .selectFrom('audit')
    .select([...columns, 'audit.target'])
    .where('app_id', '=', appId)
    .where('target', '=', name)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const withOthers = await db
    .selectFrom('audit_targets')
    .innerJoin('audit', 'audit.id', 'audit_targets.audit_id')
    .select([...columns, 'audit_targets.target'])
    .where('audit_targets.app_id', '=', appId)
    .where('audit_targets.target', '=', name)
    .orderBy('audit_targets.audit_id', 'desc')
    .limit(limit)
    .execute()
  return [...alone.filter((row) => !isOnMany(row)), ...withOthers]
    .toSorted((one, other) => Number(other.id) - Number(one.id))
    .slice(0, limit)
}

/** The licenses a user has redeemed. */
export const listLicensesOfUser = (db: Reader, appId: string, userId: number): Promise<License[]> =>
  db
    .selectFrom('licenses')
    .selectAll()
    .where('app_id', '=', appId)
    .where('used_by_user_id', '=', userId)
    .limit(maxLicenses)
    .execute()

/** Names of the users bound to the machine. */
export async function listUsersOfMachine(db: Reader, appId: string, hwidHash: string): Promise<string[]> {
  if (hwidHash === '') return []
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('app_id', '=', appId)
    .where('hwid_hash', '=', hwidHash)
    .limit(maxUsers)
    .execute()
  return rows.map(({ username }) => username)
}

/**
 * The complete hash of a machine by its first characters, as shown in the log. Reads all rows of the app, so it needs
 * `db.reports`.
 */
export async function findMachineByFingerprint(
  db: Reader,
  appId: string,
  fingerprint: string,
): Promise<string | undefined> {
  const start = sql<string>`substr(hwid_hash, 1, cast(${fingerprintLength} as integer))`
  const seen = await db
    .selectFrom('logs')
    .select('hwid_hash')
    .where('app_id', '=', appId)
    .where('hwid_hash', '<>', '')
    .where(start, '=', fingerprint)
    .limit(1)
    .executeTakeFirst()
  if (seen) return seen.hwid_hash
  const bound = await db
    .selectFrom('users')
    .select('hwid_hash')
    .where('app_id', '=', appId)
    .where('hwid_hash', 'is not', null)
    .where(start, '=', fingerprint)
    .limit(1)
    .executeTakeFirst()
  return bound?.hwid_hash ?? undefined
}

export interface EntitlementOfUser {
  level: number
  name: string
  level_active: number
  license_banned: number
  expires_at: number | null
}

/** The entitlements of a user with the states that decide whether they count. */
export async function listEntitlementStates(db: Reader, appId: string, userId: number): Promise<EntitlementOfUser[]> {
  const rows = await db
    .selectFrom('user_subscriptions as entitlement')
    .innerJoin('subscriptions as level', (join) =>
      join.onRef('level.app_id', '=', 'entitlement.app_id').onRef('level.level', '=', 'entitlement.level'),
    )
    .leftJoin('licenses as license', (join) =>
      join.onRef('license.app_id', '=', 'entitlement.app_id').onRef('license.id', '=', 'entitlement.license_id'),
    )
    .select((select) => [
      'entitlement.level',
      'level.name',
      'level.active as level_active',
      select.fn.coalesce('license.banned', sql<number>`0`).as('license_banned'),
      'entitlement.expires_at',
    ])
    .where('entitlement.app_id', '=', appId)
    .where('entitlement.user_id', '=', userId)
    .execute()
  return rows.map((row) => ({ ...row, license_banned: Number(row.license_banned) }))
}

/**
 * Names of the actors: the owner of the app, and the owner's resellers and seller keys. Other names are not revealed.
 */
export async function actorNames(
  db: Reader,
  app: { id: string; ownerId: string },
  rows: readonly AuditRow[],
): Promise<(row: AuditRow) => string> {
  const idsOf = (type: string) => [...new Set(rows.filter((row) => row.actor_type === type).map((row) => row.actor_id))]
  const resellerIds = idsOf('reseller')
  const keyIds = idsOf('seller-key')
  const owner = await db
    .selectFrom('accounts')
    .select(['id', 'username as name'])
    .where('id', '=', app.ownerId)
    .execute()
  const resellers =
    resellerIds.length === 0
      ? []
      : await db
          .selectFrom('resellers')
          .select(['id', 'username as name'])
          .where('id', 'in', resellerIds)
          .where('owner_id', '=', app.ownerId)
          .execute()
  const keys =
    keyIds.length === 0
      ? []
      : await db
          .selectFrom('seller_keys')
          .select(['id', 'name'])
          .where('id', 'in', keyIds)
          .where('app_id', '=', app.id)
          .execute()
  const names = new Map([...owner, ...resellers, ...keys].map(({ id, name }) => [id, name]))
  return ({ actor_type: type, actor_id: id, target }) => (type === 'user' ? target : (names.get(id) ?? ''))
}

export const eventOf = (row: AuditRow, nameOf: (row: AuditRow) => string): PastEvent => ({
  act: row.act,
  at: Number(row.at),
  actorType: row.actor_type,
  actorName: nameOf(row),
})
