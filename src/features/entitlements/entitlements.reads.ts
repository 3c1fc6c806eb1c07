import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { UserSubscriptionsTable } from './entitlements.table.ts'

/** What a user is entitled to: a level, until a time. */
export type Entitlement = Pick<Selectable<UserSubscriptionsTable>, 'user_id' | 'level' | 'expires_at'>

/** The whole row, with the license that it came from. */
export type EntitlementRow = Selectable<UserSubscriptionsTable>

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
  /** Without one all levels. */
  level?: number | undefined
}

/** The entitlements of these users, by user and level. */
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

/** Whether the user of this license is entitled to that level by something else already. */
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

/** Counted among all users of the app: it may take long. */
export async function countEntitledUsers(db: Reader, appId: string, level: number): Promise<number> {
  const { n } = await db
    .selectFrom('user_subscriptions')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Whether any user of the app has this level. */
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

/** When what these licenses gave ends, by license. */
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
