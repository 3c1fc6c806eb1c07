import { countAll } from '#database/count-all.ts'
import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from 'kysely'
import { type LevelList, levelsOf, type ListOf, valuesOf } from '#contract/list-field.ts'
import type { Database, Reader } from '#database/database.ts'
import { isPostgres, selectGivenRows, withoutIndex } from '#database/engine-differences.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import { rowsOfApp } from '#database/rows-of-app.ts'
import type { Schema } from '#database/schema.ts'
import type { SearchedRows, SearchSource } from '#database/search-source.ts'
import { countRows, countRowsUpTo, type PageById, type RowCount } from '#database/searched-rows.ts'
import { longestTime } from '#database/sort-order.ts'
import { keyInAnyCase } from './licenses.rules.ts'
import type { LicensesTable } from './licenses.table.ts'

/** Columns searched on the licenses screen. */
export const licensesSearch: SearchSource<'licenses'> = {
  table: 'licenses',
  columns: ['license', 'notes', 'used_by', 'generated_by'],
}

export type License = Selectable<LicensesTable>

export interface LicenseFilter {
  search?: string | undefined
  status?: ListOf<LicenseStatus> | undefined
  level?: LevelList | undefined
  /** Whether the license has been redeemed, banned or not. */
  redeemed?: boolean | undefined
  /** Only licenses of this reseller. */
  resellerId?: string | undefined
  /** Created at or after, and at or before: epoch seconds. */
  createdFrom?: number | undefined
  createdUntil?: number | undefined
  /** The same for the redemption. */
  redeemedFrom?: number | undefined
  redeemedUntil?: number | undefined
  /** The same for the end of redeemed licenses. */
  expiresFrom?: number | undefined
  expiresUntil?: number | undefined
}

export const licenseStates = { unused: 0, used: 1, banned: 2 } as const

type LicenseStatus = keyof typeof licenseStates | 'expiring'

export const expiringSeconds = 7 * 86_400

/** The statuses of a filter that have no license in common: those that expire are used. */
export function separateStatuses(status: LicenseFilter['status']): LicenseStatus[] {
  const statuses = valuesOf(status)
  return statuses.includes('used') ? statuses.filter((each) => each !== 'expiring') : statuses
}

export interface FilterOf {
  appId: string
  filter: LicenseFilter
  now: number
}

type LicenseQuery = SearchedRows<'licenses'>['query']

/** When a license ends, or later than any time, as `licenses_ends` has it. */
export const endOf = (db: Reader): RawBuilder<number> =>
  isPostgres(db)
    ? sql<number>`licenses.expires_at`
    : sql<number>`coalesce(licenses.expires_at, ${sql.lit(longestTime)})`

/** The conditions of a filter besides status and level. */
export function narrowed(db: Reader, query: LicenseQuery, filter: LicenseFilter): LicenseQuery {
  const { redeemed, resellerId, redeemedFrom, redeemedUntil, expiresFrom, expiresUntil } = filter
  const { createdFrom, createdUntil } = filter
  let rows = query
  if (createdFrom !== undefined) rows = rows.where('created_at', '>=', createdFrom)
  if (createdUntil !== undefined) rows = rows.where('created_at', '<=', createdUntil)
  if (redeemed !== undefined) rows = rows.where('used', '=', redeemed ? 1 : 0)
  if (resellerId !== undefined) rows = rows.where('reseller_id', '=', resellerId)
  if (redeemedFrom !== undefined) rows = rows.where('used_at', '>=', redeemedFrom)
  if (redeemedUntil !== undefined) rows = rows.where('used_at', '<=', redeemedUntil)
  if (expiresFrom !== undefined) rows = rows.where(endOf(db), '>=', expiresFrom)
  if (expiresUntil !== undefined) rows = rows.where(endOf(db), '<=', expiresUntil)
  // Without an upper bound, licenses without an end would match.
  if (expiresFrom !== undefined && expiresUntil === undefined) rows = rows.where(endOf(db), '<', longestTime)
  return rows
}

/** The licenses of an app that match a filter, read from `reports`, which has the search index. */
export async function matchingLicenses(
  db: Database,
  { appId, filter, now }: FilterOf,
): Promise<SearchedRows<'licenses'>> {
  const found = await db.searched(licensesSearch, { appId, text: filter.search })
  const base = narrowed(db.reports, found.query, filter)
  const [statuses, levels] = [separateStatuses(filter.status), levelsOf(filter.level)]
  const withStatus = (query: LicenseQuery, some: readonly LicenseStatus[]): LicenseQuery => {
    const [only] = some
    if (only === undefined) return query
    if (some.length > 1) return query.where((where) => where.or(some.map((each) => hasStatus(db, where, each, now))))
    if (only === 'expiring') return query.where((where) => isExpiring(where, now))
    return query.where('state', '=', licenseStates[only])
  }
  const withLevel = (query: LicenseQuery, some: readonly number[]): LicenseQuery =>
    some.length === 1 ? query.where('level', '=', some[0] as number) : query.where('level', 'in', [...some])
  const query = withStatus(levels.length > 0 ? withLevel(base, levels) : base, statuses)
  if (filter.search?.trim()) return { ...found, query }
  if (levels.length > 1)
    return { ...found, query, parts: levels.map((level) => withStatus(withLevel(base, [level]), statuses)) }
  if (levels.length === 0 && statuses.length > 1)
    return { ...found, query, parts: statuses.map((status) => withStatus(base, [status])) }
  return { ...found, query }
}

const isExpiring = (where: ExpressionBuilder<Schema, 'licenses'>, now: number) =>
  where.and([where('expires_at', '>', now), where('expires_at', '<=', now + expiringSeconds), where('banned', '=', 0)])

/** One of several: each row is checked. */
export const hasStatus = (
  db: Database,
  where: ExpressionBuilder<Schema, 'licenses'>,
  status: LicenseStatus,
  now: number,
) =>
  status === 'expiring'
    ? isExpiring(where, now)
    : where(withoutIndex<number>(db.reports, 'licenses.state'), '=', licenseStates[status])

/** Those of the locked licenses that still match a filter; its search is not repeated. */
export const stillMatches = (licenses: readonly License[], filter: LicenseFilter, now: number): License[] =>
  licenses.filter((license) => {
    const { redeemed, resellerId, redeemedFrom, redeemedUntil, expiresFrom, expiresUntil } = filter
    const [statuses, levels] = [valuesOf(filter.status), levelsOf(filter.level)]
    if (resellerId !== undefined && license.reseller_id !== resellerId) return false
    if (levels.length > 0 && !levels.includes(license.level)) return false
    if (redeemed !== undefined && (license.used === 1) !== redeemed) return false
    if (!isBetween(license.created_at, filter.createdFrom, filter.createdUntil)) return false
    if (!isBetween(license.used_at, redeemedFrom, redeemedUntil)) return false
    if (!isBetween(license.expires_at, expiresFrom, expiresUntil)) return false
    const endsAt = license.expires_at ?? 0
    const isSoon = endsAt > now && endsAt <= now + expiringSeconds && license.banned === 0
    const has = (status: LicenseStatus) => (status === 'expiring' ? isSoon : license.state === licenseStates[status])
    return statuses.length === 0 || statuses.some(has)
  })

const isBetween = (at: number | null, from = -Infinity, until = Infinity): boolean =>
  (from === -Infinity && until === Infinity) || (at !== null && at >= from && at <= until)

export interface LicenseCounts {
  total: number
  unused: number
  used: number
  banned: number
  expiring: number
}

/** Totals by state, maintained by triggers, so that lists need not count a million rows. */
export async function countLicenses(db: Reader, appId: string, now: number): Promise<LicenseCounts> {
  const rows = await db
    .selectFrom('license_counts')
    .select((select) => ['state', select.fn.sum<number>('count').as('n')])
    .where('app_id', '=', appId)
    .groupBy('state')
    .execute()
  const of = (state: number) => Number(rows.find((row) => row.state === state)?.n ?? 0)
  const expiring = db
    .selectFrom('licenses')
    .where('app_id', '=', appId)
    .where((where) => isExpiring(where, now))
  const [unused, used, banned] = [of(0), of(1), of(2)]
  return { total: unused + used + banned, unused, used, banned, expiring: await countAll(expiring) }
}

export async function countLicensesOfApps(db: Reader, appIds: readonly string[]): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('license_counts')
    .select((select) => ['app_id', select.fn.sum<number>('count').as('n')])
    .where('app_id', 'in', [...appIds])
    .groupBy('app_id')
    .execute()
  return new Map(rows.map((row) => [row.app_id, Number(row.n)]))
}

/** Counted states of a reseller: `used + 2 * banned` for licenses, and the users who redeemed them. */
export const redeemersCounted = 4

/** Counts of these resellers in these apps, maintained by triggers. */
const resellerCounts = (db: Reader, { appIds, resellerIds }: { appIds: string[]; resellerIds: string[] }) =>
  db
    .selectFrom('reseller_counts')
    .where('app_id', 'in', appIds)
    .where('reseller_id', 'in', resellerIds)
    .select((select) => ['app_id', 'reseller_id', 'counted', select.fn.sum<number>('count').as('n')])
    .groupBy(['app_id', 'reseller_id', 'counted'])

export interface ResellerLicenseCount {
  appId: string
  resellerId: string
  used: boolean
  count: number
}

/** Number of licenses these resellers created in each of these apps, by whether they were redeemed, banned or not. */
export async function countLicensesOfResellers(
  db: Reader,
  { appIds, resellerIds }: { appIds: readonly string[]; resellerIds: readonly string[] },
): Promise<ResellerLicenseCount[]> {
  if (appIds.length === 0 || resellerIds.length === 0) return []
  const rows = await resellerCounts(db, { appIds: [...appIds], resellerIds: [...resellerIds] })
    .where('counted', '<', redeemersCounted)
    .execute()
  return rows.map((row) => ({
    appId: row.app_id,
    resellerId: row.reseller_id,
    used: row.counted % 2 === 1,
    count: Number(row.n),
  }))
}

export interface ResellerScope {
  appId: string
  resellerId: string
}

/** Number of licenses of a reseller in an app, and number of users who redeemed some. */
export async function countOfReseller(
  db: Reader,
  { appId, resellerId }: ResellerScope,
): Promise<{ licenses: number; redeemers: number }> {
  const rows = await resellerCounts(db, { appIds: [appId], resellerIds: [resellerId] }).execute()
  const sum = (isWanted: (counted: number) => boolean) =>
    rows.filter(({ counted }) => isWanted(counted)).reduce((total, { n }) => total + Number(n), 0)
  return {
    licenses: sum((counted) => counted < redeemersCounted),
    redeemers: sum((counted) => counted === redeemersCounted),
  }
}

/** Whether any license has the level. */
export async function hasLicenseOfLevel(db: Reader, appId: string, level: number): Promise<boolean> {
  const license = await db
    .selectFrom('licenses')
    .select('id')
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return license !== undefined
}

/** The number of matching rows, up to an ID if there is one. */
export const countFiltered = async (db: Database, choice: FilterOf, newestId?: number): Promise<number> =>
  countRows(await matchingLicenses(db, choice), newestId)

export const countFilteredUpTo = async (
  db: Database,
  choice: FilterOf,
  max: number,
  page?: PageById,
): Promise<RowCount> => countRowsUpTo(db, await matchingLicenses(db, choice), max, page)

const licenseOfKey = preparedQuery((db, { appId, license }: { appId: string; license: string }) =>
  db.selectFrom('licenses').selectAll().where('app_id', '=', appId).where('license', '=', license),
)

export async function findLicense(db: Reader, appId: string, license: string): Promise<License | undefined> {
  return (await licenseOfKey(db, { appId, license }))[0]
}

interface Redeemer {
  appId: string
  userId: number
}

const redeemedBy = (db: Reader, { appId, userId }: Redeemer) =>
  db.selectFrom('licenses').where('app_id', '=', appId).where('used_by_user_id', '=', userId)

/** The licenses a user redeemed, the last one first. */
export const listRedeemed = (
  db: Reader,
  { offset, limit, ...redeemer }: Redeemer & { offset: number; limit: number },
): Promise<License[]> =>
  redeemedBy(db, redeemer)
    .selectAll()
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

export const countRedeemed = (db: Reader, redeemer: Redeemer): Promise<number> => countAll(redeemedBy(db, redeemer))

/** The license a user redeemed last. */
export const findRedeemedLicense = (
  db: Reader,
  redeemer: Redeemer,
): Promise<Pick<License, 'reseller_id'> | undefined> =>
  redeemedBy(db, redeemer)
    .select('reseller_id')
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The licenses with this key in several apps. */
export async function listLicensesOfKey(
  db: Reader,
  appIds: readonly string[],
  license: string,
): Promise<Pick<License, 'app_id' | 'reseller_id'>[]> {
  if (appIds.length === 0) return []
  return db
    .selectFrom('licenses')
    .select(['app_id', 'reseller_id'])
    .where('app_id', 'in', [...appIds])
    .where('license', '=', license)
    .execute()
}

/** Scans all licenses of the app, so it may take long. `now` in epoch seconds. */
export const countLicensesOfLevel = (db: Database, appId: string, level: number, now: number): Promise<number> =>
  countFiltered(db, { appId, filter: { level }, now })

/** The licenses with these keys, oldest first. */
export async function findLicensesByKey(db: Reader, appId: string, keys: readonly string[]): Promise<License[]> {
  if (keys.length === 0) return []
  return db
    .selectFrom('licenses')
    .selectAll()
    .where('app_id', '=', appId)
    .where('license', 'in', [...keys])
    .orderBy('id')
    .execute()
}

/** The licenses with these keys in any case, oldest first. */
export function licensesInAnyCase(db: Reader, appId: string, keys: readonly string[]) {
  const given = selectGivenRows(
    db,
    { key: 'text' },
    keys.map((key) => [keyInAnyCase(key)]),
  )
  const wanted = sql`select given.key from (${given}) as given`
  // PostgreSQL may read all licenses of the app for a subquery that isn't an array.
  const isOfKey = isPostgres(db)
    ? sql<boolean>`lower(license collate "C") = any(array(${wanted}))`
    : sql<boolean>`lower(license) in (${wanted})`
  return db.selectFrom('licenses').where('app_id', '=', appId).where(isOfKey).orderBy('id')
}

/** The licenses with these IDs, as a transaction sees them. */
export const findLicensesById = (db: Reader, appId: string, ids: readonly number[]): Promise<License[]> =>
  rowsOfApp(db, 'licenses', appId, { column: 'id', values: ids })

export async function countAllLicenses(db: Reader): Promise<number> {
  const { n } = await db
    .selectFrom('license_counts')
    .select((select) => select.fn.sum<number | null>('count').as('n'))
    .executeTakeFirstOrThrow()
  return Number(n ?? 0)
}
