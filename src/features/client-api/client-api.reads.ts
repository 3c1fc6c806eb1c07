import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import type { EntitlementState } from './access.rules.ts'

export interface AccessEntitlement extends EntitlementState {
  license_id: number | null
}

/** A user's subscriptions with the states that affect access: those of the level and of the license. */
export const listAccessEntitlements = (db: Reader, appId: string, userId: number): Promise<AccessEntitlement[]> =>
  accessEntitlementsOfUser(db, { appId, userId })

const bansOfLicense = preparedQuery((db, { appId, licenseId }: { appId: string; licenseId: number }) =>
  db.selectFrom('licenses').select('banned').where('app_id', '=', appId).where('id', '=', licenseId),
)

export async function isLicenseBanned(db: Reader, appId: string, licenseId: number): Promise<boolean> {
  return (await bansOfLicense(db, { appId, licenseId }))[0]?.banned === 1
}

const accessEntitlementsOfUser = preparedQuery((db, { appId, userId }: { appId: string; userId: number }) =>
  db
    .selectFrom('user_subscriptions as entitlement')
    .leftJoin('subscriptions as level', (join) =>
      join.onRef('level.app_id', '=', 'entitlement.app_id').onRef('level.level', '=', 'entitlement.level'),
    )
    .leftJoin('licenses as license', (join) =>
      join.onRef('license.app_id', '=', 'entitlement.app_id').onRef('license.id', '=', 'entitlement.license_id'),
    )
    .select((select) => [
      'entitlement.level',
      'entitlement.expires_at',
      'entitlement.license_id',
      select.fn.coalesce('level.name', sql<string>`''`).as('name'),
      select.fn.coalesce('level.active', sql<number>`0`).as('level_active'),
      select.fn.coalesce('license.banned', sql<number>`0`).as('license_banned'),
    ])
    .where('entitlement.app_id', '=', appId)
    .where('entitlement.user_id', '=', userId)
    .orderBy('entitlement.level'),
)
