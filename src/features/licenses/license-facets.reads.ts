import { sql } from 'kysely'
import type { LevelCount } from '#contract/level-field.ts'
import type { Reader } from '#database/database.ts'
import { redeemersCounted } from './licenses.reads.ts'

/** How many licenses of an app each value of a filter has. */

/** Number of licenses of each level of the app, counted no further than `max`. */
export async function countByLevel(db: Reader, appId: string, max: number): Promise<LevelCount[]> {
  const rows = await licensesByLevel(db, appId, max).execute()
  return rows.map(({ level, n }) => ({ level, count: Math.min(Number(n), max), isMore: Number(n) > max }))
}

/** Ordered, so that PostgreSQL reads them from the index whatever share of all licenses it expects. */
export const licensesByLevel = (db: Reader, appId: string, max: number) =>
  db
    .selectFrom('subscriptions as known')
    .select([
      'known.level',
      sql<number>`(select count(*) from (
        select id from licenses where licenses.app_id = known.app_id and licenses.level = known.level
        order by id limit ${max + 1}
      ) as counted)`.as('n'),
    ])
    .where('known.app_id', '=', appId)
    .orderBy('known.level')

export interface ResellerFacet {
  resellerId: string
  /** As the newest license of the reseller has it. */
  name: string
  count: number
}

const maxResellers = 100

/** From counts maintained by triggers; those with the most licenses first. */
export async function countByReseller(db: Reader, appId: string): Promise<ResellerFacet[]> {
  const rows = await db
    .selectFrom('reseller_counts')
    .select((select) => ['reseller_id', select.fn.sum<number>('count').as('n')])
    .where('app_id', '=', appId)
    .where('counted', '<', redeemersCounted)
    .groupBy('reseller_id')
    .execute()
  const facets = rows
    .map((row) => ({ resellerId: row.reseller_id, count: Number(row.n) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || (one.resellerId < other.resellerId ? -1 : 1))
    .slice(0, maxResellers)
  return Promise.all(facets.map(async (facet) => ({ ...facet, name: await nameOf(db, appId, facet.resellerId) })))
}

async function nameOf(db: Reader, appId: string, resellerId: string): Promise<string> {
  const newest = await db
    .selectFrom('licenses')
    .select('generated_by')
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.generated_by ?? resellerId
}
