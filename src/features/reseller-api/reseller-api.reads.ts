import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { unitSeconds } from '#contract/duration.ts'
import type { Database, Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import { containsText, type SearchedRows } from '#database/search-source.ts'
import { countRows, rowsOfPage } from '#database/searched-rows.ts'
import {
  countFiltered,
  countLicensesOfResellers,
  countOfReseller,
  expiringSeconds,
  type License,
  type ResellerLicenseCount,
  type ResellerScope,
} from '#features/licenses/licenses.reads.ts'
import { type LicenseSort, listPage } from '#features/licenses/license-pages.reads.ts'
import { licenseStats } from '#features/resellers/resellers.rules.ts'
import { findUsersById, type User, usersSearch } from '#features/users/users.reads.ts'

interface OwnLicenses extends OwnRows {
  /** Whether they have been redeemed, banned or not. */
  redeemed?: boolean | undefined
  page: number
  limit: number
  /** Newest first by default. */
  sort?: LicenseSort | undefined
}

/** A page of the reseller's licenses. The total comes from trigger counts or, for a search, from its matches. */
export async function ownLicensesPage(
  db: Database,
  { search, status, redeemed, page, limit, sort, now, ...own }: OwnLicenses,
): Promise<{ total: number; rows: License[] }> {
  const choice = { appId: own.appId, filter: { search, status, redeemed, resellerId: own.resellerId }, now }
  const isCounted = !search?.trim() && !status
  const total = isCounted ? await countOwnLicenses(db.reports, own, redeemed) : await countFiltered(db, choice)
  return { total, rows: await listPage(db, { ...choice, offset: (page - 1) * limit, limit, total, sort }) }
}

async function countOwnLicenses(db: Reader, own: ResellerScope, redeemed: boolean | undefined): Promise<number> {
  if (redeemed === undefined) return (await countOfReseller(db, own)).licenses
  const { appId, resellerId } = own
  return sumOf(await countLicensesOfResellers(db, { appIds: [appId], resellerIds: [resellerId] }), redeemed)
}

const sumOf = (counts: readonly ResellerLicenseCount[], used: boolean): number =>
  counts.filter((each) => each.used === used).reduce((sum, { count }) => sum + count, 0)

interface OwnRows extends ResellerScope {
  search?: string | undefined
  /** Only those whose time ends within 7 days. */
  status?: 'expiring' | undefined
  now: number
}

const isFiltered = ({ search, status }: OwnRows): boolean => status !== undefined || (search ?? '').trim() !== ''

/** The index also has the IP address of each user, which a reseller does not see. */
function containsShown(search: string | undefined): RawBuilder<boolean> {
  const text = search?.trim() ?? ''
  if (text === '') return sql<boolean>`1 = 1`
  return sql<boolean>`(${containsText(sql.ref('users.username'), text)} or ${containsText(sql.ref('users.email'), text)})`
}

/** The reseller's users that match the search and the status. */
async function searchOwnUsers(db: Database, { search, status, now, ...own }: OwnRows): Promise<SearchedRows<'users'>> {
  const found = await db.searched(usersSearch, { appId: own.appId, text: search })
  const isOwn = (where: ExpressionBuilder<Schema, 'users'>) =>
    where.exists(
      where
        .selectFrom('reseller_users')
        .select('reseller_users.user_id')
        .where('reseller_users.app_id', '=', own.appId)
        .where('reseller_users.reseller_id', '=', own.resellerId)
        .whereRef('reseller_users.user_id', '=', 'users.id')
        .where('reseller_users.licenses', '>', 0),
    )
  const isExpiring = (where: ExpressionBuilder<Schema, 'users'>) =>
    where.and([
      where('banned', '=', 0),
      where('paused', '=', 0),
      where('access_until', '>', now),
      where('access_until', '<=', now + expiringSeconds),
    ])
  const query = found.query.where(isOwn).where(containsShown(search))
  return { ...found, query: status ? query.where(isExpiring) : query }
}

export const countOwnUsers = async (db: Database, own: OwnRows): Promise<number> =>
  isFiltered(own) ? countRows(await searchOwnUsers(db, own)) : (await countOfReseller(db.reports, own)).redeemers

/** A page of the users who redeemed the reseller's licenses, newest first. */
export async function listOwnUsers(
  db: Database,
  { offset, limit: pageSize, total, ...own }: OwnRows & { offset: number; limit: number; total: number },
): Promise<User[]> {
  const { appId, resellerId } = own
  if (isFiltered(own)) {
    const found = await searchOwnUsers(db, own)
    return rowsOfPage(db, { table: 'users', appId }, found, { offset, limit: pageSize, total })
  }
  const limit = Math.min(pageSize, Math.max(0, total - offset))
  if (limit === 0) return []
  const fromEnd = offset > total / 2
  const rows = await db.reports
    .selectFrom('reseller_users')
    .select('user_id')
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .where((where) => where('licenses', '>', where.lit(0)))
    .orderBy('user_id', fromEnd ? 'asc' : 'desc')
    .limit(limit)
    .offset(fromEnd ? total - offset - limit : offset)
    .execute()
  const ids = rows.map(({ user_id }) => Number(user_id))
  const users = await findUsersById(db.reports, appId, ids)
  return users.toSorted((one, other) => other.id - one.id)
}

/** Whether this user redeemed one of the reseller's licenses; reads the licenses themselves (R-TEN-06). */
export async function isOwnUser(db: Reader, { appId, resellerId }: ResellerScope, userId: number): Promise<boolean> {
  const license = await db
    .selectFrom('licenses')
    .select('id')
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .where('used', '=', 1)
    .where('used_by_user_id', '=', userId)
    .limit(1)
    .execute()
  return license.length > 0
}

export interface LastSale {
  /** Number of days as text. */
  plan: string
  subscriptionLevel: number
  soldAt: number
}

/** The plan and level of the reseller's newest license; null if it isn't one of whole days. */
export async function findLastSale(db: Reader, { appId, resellerId }: ResellerScope): Promise<LastSale | null> {
  const license = await db
    .selectFrom('licenses')
    .select(['level', 'duration_seconds', 'created_at'])
    .where('app_id', '=', appId)
    .where('reseller_id', '=', resellerId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const days = Number(license?.duration_seconds ?? 0) / unitSeconds.days
  if (!license || days < 1 || !Number.isInteger(days)) return null
  return { plan: String(days), subscriptionLevel: license.level, soldAt: Number(license.created_at) }
}

export async function ownLicenseStats(
  db: Reader,
  { appIds, resellerId }: { appIds: readonly string[]; resellerId: string },
): Promise<ReturnType<typeof licenseStats>> {
  const counts = await countLicensesOfResellers(db, { appIds, resellerIds: [resellerId] })
  return licenseStats(sumOf(counts, true), sumOf(counts, false))
}
