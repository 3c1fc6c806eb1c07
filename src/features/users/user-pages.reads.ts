import { sql } from 'kysely'
import { readSort, type SortBy } from '#contract/sort-field.ts'
import type { Database } from '#database/database.ts'
import type { SearchedRows } from '#database/search-source.ts'
import { type CountedPage, rowsOfPage, sortedAtOnce } from '#database/searched-rows.ts'
import { type RowOrder, withoutIndexes } from '#database/sort-order.ts'
import {
  type FilterOf,
  isOfCreation,
  isOfSignIns,
  matchingUsers,
  statusesOf,
  type User,
  type UserFilter,
} from './users.reads.ts'
import type { userSorts } from './user-list.rules.ts'

/** Pages of the list of users, in each of its orders. */

export type UserSort = SortBy<(typeof userSorts)[number]>

/** Users of a period are in the order of its index, unless another one is chosen. */
const defaultSort = (filter: UserFilter): UserSort =>
  isOfSignIns(filter) && !isOfCreation(filter) ? '-lastLogin' : '-created'

/** Undefined for the order by ID. */
export function userOrder(filter: UserFilter, sort: UserSort = defaultSort(filter)): RowOrder | undefined {
  const { column, descending } = readSort(sort)
  if (column === 'username') return { by: [sql.ref('users.username_key')], unique: 'username_key', descending }
  if (column === 'lastLogin') return { by: [sql.ref('users.last_login_at')], descending, isEmptyFirst: true }
  // The expression of its index.
  if (column === 'timeLeft') return { by: [sql`(users.paused * 1)`, sql.ref('users.access_until')], descending }
  return isOfCreation(filter) || isOfSignIns(filter) ? { by: [sql.ref('users.created_at')], descending } : undefined
}

interface PageOf extends FilterOf, CountedPage {
  sort?: UserSort | undefined
}

/** One page, newest first unless it is sorted. */
export async function listPage(
  db: Database,
  { offset, limit, total, isMore, ids, sort, ...choice }: PageOf,
): Promise<User[]> {
  const { appId, filter } = choice
  const order = userOrder(filter, sort)
  const page = { offset, limit, total, isMore, ids, ascending: sort === 'created', order }
  const place = { table: 'users' as const, appId }
  if (!order) {
    const isOfAll = Object.values(filter).every((value) => value === undefined || value === '' || value === false)
    const counts = isOfAll ? { table: 'user_counts' as const, appId } : undefined
    return rowsOfPage(db, place, await matchingUsers(db, choice), { ...page, counts })
  }
  const isSearch = (filter.search ?? '').trim() !== ''
  const isPeriod = isOfCreation(filter) || isOfSignIns(filter)
  const { column } = readSort(sort ?? defaultSort(filter))
  const isByPeriod = (column === 'created' && isOfCreation(filter)) || (column === 'lastLogin' && isOfSignIns(filter))
  const isFiltered = isPeriod || filter.status !== undefined || filter.level !== undefined
  const isInOrder = isByPeriod || !isFiltered || isMore === true || total > sortedAtOnce
  if (isSearch || !isInOrder) {
    const byStatus = filter.level === undefined && !isPeriod && statusesOf(filter.status).length > 0
    const rows = await matchingUsers(db, { ...choice, filter: { ...filter, byStatus: byStatus && !isSearch } })
    return rowsOfPage(db, place, rows, { ...page, order: withoutIndexes(order) })
  }
  return rowsOfPage(db, place, await usersInOrder(db, choice), page)
}

/** The users that match a filter, each checked in the index of the order they are read in. */
export const usersInOrder = (db: Database, { filter, ...choice }: FilterOf): Promise<SearchedRows<'users'>> =>
  matchingUsers(db, { ...choice, filter: { ...filter, levelIsRare: false, byStatus: false } })
