import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import { isPostgres } from '#database/engine-differences.ts'

interface KeyOfOwner {
  ownerId: string
  key: string
  limit: number
}

/**
 * The licenses with this key, also in capitals or small letters, in all apps of an owner: those of exactly this key
 * first, then those of the oldest app. Each app is one look into the index of its keys.
 */
export function listLicensesOfOwner(db: Reader, { ownerId, key, limit }: KeyOfOwner) {
  const own = db.selectFrom('apps').select('id').where('owner_id', '=', ownerId).where('deleted_at', 'is', null)
  return (
    db
      .selectFrom('licenses')
      .innerJoin('apps', 'apps.id', 'licenses.app_id')
      .select(['apps.id as appId', 'apps.name as appName', 'licenses.license as key'])
      // With a subquery that isn't an array, PostgreSQL may look through the keys of all owners' apps first.
      .where(
        isPostgres(db) ? sql<boolean>`licenses.app_id = any(array(${own}))` : sql<boolean>`licenses.app_id in ${own}`,
      )
      .where('licenses.license', 'in', [key, key.toUpperCase(), key.toLowerCase()])
      .orderBy((order) => order.case().when('licenses.license', '=', key).then(0).else(1).end())
      .orderBy('apps.created_at')
      .orderBy('apps.id')
      .orderBy('licenses.license')
      .limit(limit)
      .execute()
  )
}
