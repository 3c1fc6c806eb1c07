import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'

export interface AccessEntitlement {
  level: number
  name: string
  expires_at: number | null
  level_active: number
  license_banned: number
  license_id: number | null
}

/** A user's subscriptions with what decides whether they count: the level's state and the license's ban. */
export const listAccessEntitlements = (db: Reader, appId: string, userId: number): Promise<AccessEntitlement[]> =>
  accessEntitlementsOfUser(db, { appId, userId })

const accessEntitlementsOfUser = preparedQuery((db, { appId, userId }: { appId: string; userId: number }) =>
  db
    .selectFrom('user_subscriptions as held')
    .leftJoin('subscriptions as level', (join) =>
      join.onRef('level.app_id', '=', 'held.app_id').onRef('level.level', '=', 'held.level'),
    )
    .leftJoin('licenses as license', (join) =>
      join.onRef('license.app_id', '=', 'held.app_id').onRef('license.id', '=', 'held.license_id'),
    )
    .select((select) => [
      'held.level',
      'held.expires_at',
      'held.license_id',
      select.fn.coalesce('level.name', sql<string>`''`).as('name'),
      select.fn.coalesce('level.active', sql<number>`0`).as('level_active'),
      select.fn.coalesce('license.banned', sql<number>`0`).as('license_banned'),
    ])
    .where('held.app_id', '=', appId)
    .where('held.user_id', '=', userId)
    .orderBy('held.level'),
)
