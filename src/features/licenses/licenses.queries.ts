import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import { maxEpochSeconds } from '#contract/fields.ts'
import type { Database, Reader } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import type { SearchedRows } from '#database/search-source.ts'
import { countRows, rowsAfter, rowsOfPage } from '#database/searched-rows.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import type { Schema } from '#database/schema.ts'
import { licensesSearch } from './licenses.search.ts'
import type { LicensesTable } from './licenses.table.ts'

export type License = Selectable<LicensesTable>

export interface LicenseFilter {
  search?: string | undefined
  status?: 'unused' | 'used' | 'banned' | 'expiring' | undefined
  level?: number | undefined
}

const states = { unused: 0, used: 1, banned: 2 } as const
export const expiringSeconds = 7 * 86_400

export interface FilterOf {
  appId: string
  filter: LicenseFilter
  now: number
}

/** The licenses of an app that a filter means, read from `reports`, where the search index is. */
async function matchingLicenses(db: Database, { appId, filter, now }: FilterOf): Promise<SearchedRows<'licenses'>> {
  const found = await db.searched(licensesSearch, { appId, text: filter.search })
  let { query } = found
  if (filter.status === 'expiring') query = query.where((where) => isExpiring(where, now))
  else if (filter.status) query = query.where('state', '=', states[filter.status])
  if (filter.level !== undefined) query = query.where('level', '=', filter.level)
  return { ...found, query }
}

const isExpiring = (where: ExpressionBuilder<Schema, 'licenses'>, now: number) =>
  where.and([where('expires_at', '>', now), where('expires_at', '<=', now + expiringSeconds), where('banned', '=', 0)])

/** Those of these held licenses that a filter's status and level still mean. */
export const stillMatches = (licenses: readonly License[], { status, level }: LicenseFilter, now: number): License[] =>
  licenses.filter((license) => {
    if (level !== undefined && license.level !== level) return false
    if (status !== 'expiring') return status === undefined || license.state === states[status]
    const endsAt = license.expires_at ?? 0
    return endsAt > now && endsAt <= now + expiringSeconds && license.banned === 0
  })

export interface LicenseCounts {
  total: number
  unused: number
  used: number
  banned: number
  expiring: number
}

/** Totals by state, kept by triggers, so that no list counts a million rows. */
export async function countLicenses(db: Reader, appId: string, now: number): Promise<LicenseCounts> {
  const rows = await db
    .selectFrom('license_counts')
    .select((select) => ['state', select.fn.sum<number>('count').as('n')])
    .where('app_id', '=', appId)
    .groupBy('state')
    .execute()
  const of = (state: number) => Number(rows.find((row) => row.state === state)?.n ?? 0)
  const { expiring } = await db
    .selectFrom('licenses')
    .select((select) => select.fn.countAll<number>().as('expiring'))
    .where('app_id', '=', appId)
    .where((where) => isExpiring(where, now))
    .executeTakeFirstOrThrow()
  const [unused, used, banned] = [of(0), of(1), of(2)]
  return { total: unused + used + banned, unused, used, banned, expiring: Number(expiring) }
}

/** How many licenses each of these apps has. */
export async function countByApp(db: Reader, appIds: readonly string[]): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('license_counts')
    .select((select) => ['app_id', select.fn.sum<number>('count').as('n')])
    .where('app_id', 'in', [...appIds])
    .groupBy('app_id')
    .execute()
  return new Map(rows.map((row) => [row.app_id, Number(row.n)]))
}

/** The id of an app's newest license, 0 without any. */
export async function findNewestId(db: Reader, appId: string): Promise<number> {
  const newest = await db
    .selectFrom('licenses')
    .select('id')
    .where('app_id', '=', appId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id ?? 0
}

/** Whether a level got licenses with an id above `afterId`. */
export async function hasLicenseAfter(db: Reader, appId: string, level: number, afterId: number): Promise<boolean> {
  const newer = await db
    .selectFrom('licenses')
    .select('id')
    .where('app_id', '=', appId)
    .where('id', '>', afterId)
    .where('level', '=', level)
    .limit(1)
    .executeTakeFirst()
  return newer !== undefined
}

export const countFiltered = async (db: Database, choice: FilterOf): Promise<number> =>
  countRows(await matchingLicenses(db, choice))

/** One page, newest first. */
export const listPage = async (
  db: Database,
  { offset, limit, total, ...choice }: FilterOf & { offset: number; limit: number; total: number },
): Promise<License[]> =>
  rowsOfPage(db, { table: 'licenses', appId: choice.appId }, await matchingLicenses(db, choice), {
    offset,
    limit,
    total,
  })

/** These columns of the next licenses after `afterId`, oldest first. */
export const listAfter = async <C extends keyof License>(
  db: Database,
  { afterId, limit, columns, ...choice }: FilterOf & { afterId: number; limit: number; columns: readonly C[] },
): Promise<Pick<License, C>[]> =>
  rowsAfter(licensesSearch, await matchingLicenses(db, choice), { afterId, limit, columns })

/** Of the next licenses after `afterId` no more than what they are called. */
export const listKeysAfter = (
  db: Database,
  choice: FilterOf & { afterId: number; limit: number },
): Promise<Pick<License, 'id' | 'license'>[]> => listAfter(db, { ...choice, columns: ['id', 'license'] })

const licenseOfKey = preparedQuery((db, { appId, license }: { appId: string; license: string }) =>
  db.selectFrom('licenses').selectAll().where('app_id', '=', appId).where('license', '=', license),
)

export async function findLicense(db: Reader, appId: string, license: string): Promise<License | undefined> {
  return (await licenseOfKey(db, { appId, license }))[0]
}

/** The license, held until the transaction ends: nobody redeems, changes or deletes it meanwhile. */
export const lockLicenseRow = (
  trx: Transaction<Schema>,
  appId: string,
  license: string,
): Promise<License | undefined> =>
  locking(
    trx,
    trx.selectFrom('licenses').selectAll().where('app_id', '=', appId).where('license', '=', license),
  ).executeTakeFirst()

/** Those of these licenses that exist, held until the transaction ends. */
export const lockLicenses = (
  trx: Transaction<Schema>,
  appId: string,
  licenses: readonly string[],
): Promise<License[]> =>
  locking(
    trx,
    trx
      .selectFrom('licenses')
      .selectAll()
      .where('app_id', '=', appId)
      .where('license', 'in', [...licenses])
      .orderBy('id'),
  ).execute()

/** Up to `limit` licenses after an id with that use, held until the transaction ends, to be worked on piece by piece. */
export const lockLicensesByUse = (
  trx: Transaction<Schema>,
  { appId, used, afterId, limit }: { appId: string; used: 0 | 1 | undefined; afterId: number; limit: number },
) => {
  let query = trx
    .selectFrom('licenses')
    .select(['id', 'used_by_user_id'])
    .where('app_id', '=', appId)
    .where('id', '>', afterId)
  if (used !== undefined) query = query.where('used', '=', used)
  return locking(trx, query.orderBy('id').limit(limit)).execute()
}

const rowsPerInsert = 250

/** Inserts what is new and gives those keys; a key that exists already is left out. */
export async function insertLicenses(trx: Transaction<Schema>, rows: Insertable<LicensesTable>[]): Promise<string[]> {
  const inserted: string[] = []
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const kept = await trx
      .insertInto('licenses')
      .values(rows.slice(from, from + rowsPerInsert))
      .onConflict((conflict) => conflict.columns(['app_id', 'license']).doNothing())
      .returning('license')
      .execute()
    inserted.push(...kept.map((row) => row.license))
  }
  return inserted
}

export async function updateLicenseRows(
  trx: Transaction<Schema>,
  appId: string,
  ids: readonly number[],
  change: Updateable<LicensesTable>,
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('licenses')
    .set(change)
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Adds seconds to what these licenses give and, where they run already, to when they end. */
export async function addSeconds(
  trx: Transaction<Schema>,
  appId: string,
  ids: readonly number[],
  seconds: number,
  max: number,
) {
  if (ids.length === 0) return
  await trx
    .updateTable('licenses')
    .set({
      expiry: sql<number>`case when expiry + ${seconds} > ${max} then ${max} else expiry + ${seconds} end`,
      expires_at: sql<number>`case when expires_at + ${seconds} > ${max} then ${max} else expires_at + ${seconds} end`,
    })
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()
}

export async function deleteLicenseRows(
  trx: Transaction<Schema>,
  appId: string,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0
  const result = await trx
    .deleteFrom('licenses')
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export interface LicenseClaim {
  appId: string
  license: string
  usedBy: string
  userId: number
  now: number
}

const claimRow = preparedQuery((db, claim: LicenseClaim) =>
  db
    .updateTable('licenses')
    .set({
      used: 1,
      used_by: claim.usedBy,
      used_by_user_id: claim.userId,
      used_at: claim.now,
      expires_at: sql<number | null>`case
        when expiry = 0 then null
        when ${claim.now} + expiry > ${maxEpochSeconds} then ${maxEpochSeconds}
        else ${claim.now} + expiry end`,
    })
    .where('app_id', '=', claim.appId)
    .where('license', '=', claim.license)
    .where('used', '=', 0)
    .where('banned', '=', 0)
    .returningAll(),
)

/** Redeems an unused, unbanned license: of any number of callers exactly one gets the row (R-LIC-01). */
export async function claimLicense(trx: Transaction<Schema>, claim: LicenseClaim): Promise<License | undefined> {
  return (await claimRow(trx, claim))[0]
}
