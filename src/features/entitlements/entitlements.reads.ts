import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import type { LevelCount } from '#contract/level-field.ts'
import type { Reader } from '#database/database.ts'
import type { UserSubscriptionsTable } from './entitlements.table.ts'

/** A user's entitlement: a level until a time. */
export type Entitlement = Pick<Selectable<UserSubscriptionsTable>, 'user_id' | 'level' | 'expires_at'>

/** The complete row, including the license that granted it. */
export type EntitlementRow = Selectable<UserSubscriptionsTable>

/** An entitlement that was taken from its user. */
export interface RevokedEntitlement extends EntitlementRow {
  /** Start of the pause in which it was taken, from which its end counts. Absent without one, and in older records. */
  paused_at?: number | undefined
}

export const findEntitlement = (
  db: Reader,
  { appId, userId, level }: { appId: string; userId: number; level: number },
): Promise<EntitlementRow | undefined> =>
  db
    .selectFrom('user_subscriptions')
    .selectAll()
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('level', '=', level)
    .executeTakeFirst()

interface EntitlementFilter {
  appId: string
  userIds: readonly number[]
  /** Undefined for all levels. */
  level?: number | undefined
}

/** The entitlements of these users, sorted by user and level. */
export async function listEntitlements(
  db: Reader,
  { appId, userIds, level }: EntitlementFilter,
): Promise<Entitlement[]> {
  if (userIds.length === 0) return []
  let query = db
    .selectFrom('user_subscriptions')
    .select(['user_id', 'level', 'expires_at'])
    .where('app_id', '=', appId)
    .where('user_id', 'in', [...userIds])
  if (level !== undefined) query = query.where('level', '=', level)
  return query.orderBy('user_id').orderBy('level').execute()
}

/** Whether the user of this license already has that level through another entitlement. */
export async function hasOtherEntitlement(db: Reader, appId: string, licenseId: number, level: number) {
  const row = await db
    .selectFrom('user_subscriptions as mine')
    .innerJoin('user_subscriptions as other', (join) =>
      join.onRef('other.app_id', '=', 'mine.app_id').onRef('other.user_id', '=', 'mine.user_id'),
    )
    .select('other.level')
    .where('mine.app_id', '=', appId)
    .where('mine.license_id', '=', licenseId)
    .where('other.level', '=', level)
    .whereRef('other.level', '<>', 'mine.level')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts among all users of the app, which can be slow. */
export const countEntitledUsers = (db: Reader, appId: string, level: number): Promise<number> =>
  countAll(db.selectFrom('user_subscriptions').where('app_id', '=', appId).where('level', '=', level))

/** IDs of up to `limit` users who have the level. */
export async function listUserIdsOfLevel(
  db: Reader,
  { appId, level, limit }: { appId: string; level: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('user_subscriptions')
    .select('user_id')
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => Number(user_id))
}

/** Number of users of each level of the app, counted no further than `max`. */
export async function countUsersByLevel(db: Reader, appId: string, max: number): Promise<LevelCount[]> {
  const rows = await usersByLevel(db, appId, max).execute()
  return rows.map(({ level, n }) => ({ level, count: Math.min(Number(n), max), isMore: Number(n) > max }))
}

/** Ordered, so that PostgreSQL reads them from the index whatever share of all users it expects. */
export const usersByLevel = (db: Reader, appId: string, max: number) =>
  db
    .selectFrom('subscriptions as known')
    .select([
      'known.level',
      sql<number>`(select count(*) from (
        select user_id from user_subscriptions as entitlement
        where entitlement.app_id = known.app_id and entitlement.level = known.level
        order by user_id limit ${max + 1}
      ) as counted)`.as('n'),
    ])
    .where('known.app_id', '=', appId)
    .orderBy('known.level')

export async function isLevelUsed(db: Reader, appId: string, level: number): Promise<boolean> {
  const user = await db
    .selectFrom('user_subscriptions')
    .select('user_id')
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst()
  return user !== undefined
}

/** End of the entitlements that these licenses granted, keyed by license. */
export async function listLicensedExpiry(
  db: Reader,
  appId: string,
  licenseIds: readonly number[],
): Promise<Map<number, number | null>> {
  if (licenseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_subscriptions')
    .select(['license_id', 'expires_at'])
    .where('app_id', '=', appId)
    .where('license_id', 'in', [...licenseIds])
    .execute()
  return new Map(rows.map(({ license_id, expires_at }) => [license_id as number, expires_at]))
}

/** All entitlements of these users, with the licenses that granted them. */
export async function listEntitlementRows(
  db: Reader,
  appId: string,
  choice: { userIds: readonly number[] } | { licenseIds: readonly number[] },
): Promise<EntitlementRow[]> {
  const [column, ids] =
    'userIds' in choice ? (['user_id', choice.userIds] as const) : (['license_id', choice.licenseIds] as const)
  if (ids.length === 0) return []
  return db
    .selectFrom('user_subscriptions')
    .selectAll()
    .where('app_id', '=', appId)
    .where(column, 'in', [...ids])
    .execute()
}
