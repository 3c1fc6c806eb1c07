import { sql } from 'kysely'
import { levelsOf } from '#contract/list-field.ts'
import { readSort, type SortBy } from '#contract/sort-field.ts'
import type { Database, Reader } from '#database/database.ts'
import { withoutIndex } from '#database/engine-differences.ts'
import type { BlockCounts } from '#database/id-blocks.ts'
import type { SearchedRows } from '#database/search-source.ts'
import { type CountedPage, rowsOfPage, sortedAtOnce } from '#database/searched-rows.ts'
import { type RowOrder, withoutIndexes } from '#database/sort-order.ts'
import {
  endOf,
  type FilterOf,
  hasStatus,
  type LicenseFilter,
  licensesSearch,
  licenseStates,
  matchingLicenses,
  narrowed,
  separateStatuses,
} from './licenses.reads.ts'
import type { licenseSorts } from './licenses.rules.ts'

/** Pages of the list of licenses, in each of its orders. */

/** The licenses that match a filter, each checked in the index of the order they are read in. */
export async function licensesInOrder(
  db: Database,
  { appId, filter, now }: FilterOf,
): Promise<SearchedRows<'licenses'>> {
  const found = await db.searched(licensesSearch, { appId, text: filter.search })
  let query = narrowed(db.reports, found.query, filter)
  const [statuses, levels] = [separateStatuses(filter.status), levelsOf(filter.level)]
  if (levels.length > 0) query = query.where(withoutIndex<number>(db.reports, 'licenses.level'), 'in', levels)
  if (statuses.length > 0)
    query = query.where((where) => where.or(statuses.map((each) => hasStatus(db, where, each, now))))
  return { ...found, query }
}

export type LicenseSort = SortBy<(typeof licenseSorts)[number]>

/** The filter is for times that an index has in their order. */
const isOf = (filter: LicenseFilter) => ({
  creation: filter.createdFrom !== undefined || filter.createdUntil !== undefined,
  redemption: filter.redeemedFrom !== undefined || filter.redeemedUntil !== undefined,
  end: filter.expiresFrom !== undefined || filter.expiresUntil !== undefined,
})

/**
 * Undefined for the order by ID. Without a choice, licenses of a period are in its order: the last redeemed first, the
 * next to end, or the last created first.
 */
export function licenseOrder(db: Reader, filter: LicenseFilter, sort: LicenseSort | undefined): RowOrder | undefined {
  if (sort === undefined) {
    if (isOf(filter).redemption) return { by: [sql.ref('licenses.used_at')], descending: true }
    if (isOf(filter).end) return { by: [endOf(db)], descending: false }
  }
  const { column, descending } = readSort(sort ?? '-created')
  if (column === 'license') return { by: [sql.ref('licenses.license')], unique: 'license', descending }
  if (column === 'expiry') return { by: [endOf(db)], descending }
  if (column === 'status') return { by: [sql.ref('licenses.state')], descending }
  if (column === 'subscription') return { by: [sql.ref('licenses.level')], descending }
  return isOf(filter).creation ? { by: [sql.ref('licenses.created_at')], descending } : undefined
}

interface PageOf extends FilterOf, CountedPage {
  sort?: LicenseSort | undefined
}

/** One page, newest first unless it is sorted. */
export async function listPage(db: Database, { offset, limit, total, isMore, ids, sort, ...choice }: PageOf) {
  const { appId, filter } = choice
  const { reports } = db
  const order = licenseOrder(reports, filter, sort)
  const page = { offset, limit, total, isMore, ids, ascending: sort === 'created' }
  const place = { table: 'licenses' as const, appId }
  const { creation, redemption, end } = isOf(filter)
  const isPeriod = creation || redemption || end
  if (!order && !isPeriod)
    return rowsOfPage(db, place, await matchingLicenses(db, choice), { ...page, counts: countsOf(choice) })
  const isSearch = (filter.search ?? '').trim() !== ''
  const isFiltered = isPeriod || [filter.status, filter.level, filter.redeemed, filter.resellerId].some(isGiven)
  // The default order of a period is that of its index.
  const isByPeriod = sort === undefined ? isPeriod : creation && readSort(sort).column === 'created'
  const isInOrder = isByPeriod || !isFiltered || isMore === true || total > sortedAtOnce
  if (!isSearch && isInOrder) return rowsOfPage(db, place, await licensesInOrder(db, choice), { ...page, order })
  const { query, id } = await matchingLicenses(db, choice)
  // Expressions have no index, so that the rows are found by their filter and then sorted.
  return order
    ? rowsOfPage(db, place, { query, id }, { ...page, order: withoutIndexes(order) })
    : rowsOfPage(db, place, { query, id: sql<number>`${id} + 0` }, page)
}

/** The counts of the licenses that a filter matches, if it is for all or for one state. */
function countsOf({ appId, filter }: FilterOf): BlockCounts | undefined {
  const { status, ...others } = filter
  if (Object.values(others).some((value) => isGiven(value) && value !== '')) return undefined
  const [only, ...more] = separateStatuses(status)
  if (only === 'expiring' || more.length > 0) return undefined
  return { table: 'license_counts', appId, ...(only && { state: licenseStates[only] }) }
}

const isGiven = (value: unknown): boolean => value !== undefined
