import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import type { LevelCount } from '#contract/level-field.ts'
import type { Reader } from '#database/database.ts'
import { rowsOfApp } from '#database/rows-of-app.ts'
import type { UserSubscriptionsTable } from './entitlements.table.ts'
import { hasShare, type TakenShare } from './license-shares.rules.ts'

/** A user's entitlement: a level until a time. */
export type Entitlement = Pick<Selectable<UserSubscriptionsTable>, 'user_id' | 'level' | 'expires_at'>

/** An entitlement whose end is restored. */
export interface FormerEntitlement extends Entitlement {
  /** What it consisted of, if a license of it was banned. */
  held?: string | undefined
}

/** The complete row, including the license that granted it. */
export type EntitlementRow = Selectable<UserSubscriptionsTable>

/** Without shares, also as older records have it, one license granted it. */
export type NewEntitlement = Omit<EntitlementRow, 'shares'> & { shares?: string | null }

/** An entitlement that was taken from its user. */
export interface RevokedEntitlement extends NewEntitlement {
  /** If it was only a part of one. Its end is then that of what was left of this part. */
  share?: TakenShare | undefined
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

export interface RedeemedLicense {
  id: number
  used_by_user_id: number | null
}

/** What these licenses granted, alone or with others: the entitlement of each. */
export async function listLicensedRows(
  db: Reader,
  appId: string,
  licenses: readonly RedeemedLicense[],
): Promise<Map<number, EntitlementRow>> {
  const userIds = [...new Set(licenses.flatMap(({ used_by_user_id: user }) => user ?? []))]
  const byUser = Map.groupBy(await listEntitlementRows(db, appId, userIds), ({ user_id }) => user_id)
  return new Map(
    licenses.flatMap(({ id, used_by_user_id: user }) => {
      const row = (byUser.get(user ?? 0) ?? []).find((each) => hasShare(each, id))
      return row ? [[id, row]] : []
    }),
  )
}

/** Those of these users' entitlements to which several licenses have given time. */
export async function listSharedRows(db: Reader, appId: string, userIds: readonly number[]): Promise<EntitlementRow[]> {
  if (userIds.length === 0) return []
  return db
    .selectFrom('user_subscriptions')
    .selectAll()
    .where('app_id', '=', appId)
    .where('user_id', 'in', [...userIds])
    .where('shares', 'is not', null)
    .execute()
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

/** All entitlements of these users, with the licenses that granted them. */
export const listEntitlementRows = (db: Reader, appId: string, userIds: readonly number[]): Promise<EntitlementRow[]> =>
  rowsOfApp(db, 'user_subscriptions', appId, { column: 'user_id', values: userIds })
