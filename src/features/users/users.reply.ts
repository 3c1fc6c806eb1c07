import type { Static } from 'typebox'
import type { PageById, RowCount } from '#database/searched-rows.ts'
import { maxCounted, pageCount } from '#contract/fields.ts'
import { levelsOf } from '#contract/list-field.ts'
import type { Database, Reader } from '#database/database.ts'
import { countEntitledUsers, type Entitlement, listEntitlements } from '#features/entitlements/entitlements.reads.ts'
import { entitlementEnd } from '#features/entitlements/entitlements.rules.ts'
import { levelNames } from '#features/levels/levels.reads.ts'
import { listVariables } from '#features/variables/variables.reads.ts'
import type { EntitlementReply, UserReply } from './users.contract.ts'
import { fingerprintLength } from './user-list.rules.ts'
import {
  countFiltered,
  countFilteredUpTo,
  countPlain,
  countPlainUpTo,
  countStates,
  type FilterOf,
  isOfCreation,
  isOfSignIns,
  statusesOf,
  type User,
} from './users.reads.ts'
import { listPage, userOrder, type UserSort } from './user-pages.reads.ts'

export type DescribedUser = Static<typeof UserReply>

/** Users in the reply; entitlements and variables are read for these users only. */
export async function describeUsers(
  db: Reader,
  { appId, users, now }: { appId: string; users: readonly User[]; now: number },
): Promise<DescribedUser[]> {
  const userIds = users.map(({ id }) => id)
  const entitlements = Map.groupBy(await listEntitlements(db, { appId, userIds }), (row) => row.user_id)
  const variables = Map.groupBy(await listVariables(db, appId, userIds), (row) => row.user_id)
  const names = await levelNames(db, appId)
  return users.map((user) => {
    const subscriptions = (entitlements.get(user.id) ?? []).map((each) => describeEntitlement(user, each, names, now))
    return {
      username: user.username,
      email: user.email,
      hwid: hwidFingerprint(user),
      ip: user.ip,
      creationDate: user.created_at,
      lastLoginDate: user.last_login_at,
      banned: user.banned === 1,
      paused: user.paused === 1,
      hasActiveSubscription: subscriptions.some(({ active }) => active),
      subscriptions: Object.fromEntries(subscriptions.map((each) => [each.level, each])),
      variables: Object.fromEntries((variables.get(user.id) ?? []).map(({ name, data }) => [name, data])),
    }
  })
}

export const describeUser = async (db: Reader, user: User, now: number): Promise<DescribedUser> =>
  (await describeUsers(db, { appId: user.app_id, users: [user], now }))[0] as DescribedUser

/** A subscription of a user; while paused, its expiry moves with the time. */
export function describeEntitlement(
  user: User,
  { level, expires_at }: Entitlement,
  names: Map<number, string>,
  now: number,
): Static<typeof EntitlementReply> {
  const end = entitlementEnd(user, expires_at, now)
  return {
    level,
    name: names.get(level) ?? `Level ${level}`,
    active: end.time_left === null || end.time_left > 0,
    ...end,
  }
}

/** The start of the hash, as everywhere; empty if no machine is bound. */
export const hwidFingerprint = ({ hwid_hash }: { hwid_hash: string | null }): string =>
  hwid_hash?.slice(0, fingerprintLength) ?? ''

/** Above this number of rows, counting all of them is too slow for every page. */
const longList = 20_000
/** Up to this number, sorting the users of a status is faster than finding them in the order of all users. */
const sortedAtOnce = 50_000

export interface UserCounts {
  total: number
  banned: number
  paused: number
  active: number | null
  expired: number | null
}

export interface UsersPage {
  users: DescribedUser[]
  total: number
  isMore: boolean
  totalPages: number
  counts: UserCounts
}

interface CountLimit {
  /** Count no further than this; without it, all matching rows are counted. */
  countUpTo?: number | undefined
}

/** A page of users with the totals of the app. */
export async function usersPage(
  db: Database,
  {
    page,
    limit,
    appId,
    filter,
    now,
    countUpTo,
    sort,
  }: FilterOf & { page: number; limit: number } & CountLimit & {
      /** Newest first by default. */
      sort?: UserSort | undefined
    },
): Promise<UsersPage> {
  const [statuses, levels] = [statusesOf(filter.status), levelsOf(filter.level)]
  const entitled = levels.length === 0 ? undefined : await countEntitled(db.reports, appId, levels)
  const isSearch = (filter.search ?? '').trim() !== ''
  const isPeriod = isOfCreation(filter) || isOfSignIns(filter)
  const narrowed = isSearch || isPeriod || entitled !== undefined
  const isStatusNeeded =
    !narrowed && countUpTo === undefined && (statuses.includes('active') || statuses.includes('expired'))
  const counts = await countUsers(db, appId, now, { isStatusNeeded })
  const known = narrowed ? undefined : knownTotal(counts, statuses)
  const levelIsRare = entitled !== undefined && entitled <= longList
  const [only] = statuses
  const isLookedUp = statuses.length === 1 && (only === 'banned' || only === 'paused')
  const byStatus = !narrowed && isLookedUp && counts[only] <= sortedAtOnce
  const choice = { appId, filter: { ...filter, levelIsRare, byStatus }, now }
  // A user may have several of the levels, so that only the number of one is that of its users.
  const onlyLevel = !isSearch && !isPeriod && statuses.length === 0 && levels.length === 1 ? entitled : undefined
  const counted = narrowed || statuses.length > 1 ? choice : { ...choice, filter: { ...choice.filter, byStatus: true } }
  const part = { offset: (page - 1) * limit, limit }
  const { total, isMore, ids } = await countMatching(db, counted, {
    known: known ?? onlyLevel,
    countUpTo,
    page: isSearch && !userOrder(filter, sort) ? { ...part, ascending: sort === 'created' } : undefined,
  })
  const rows = await listPage(db, { ...choice, ...part, total, isMore, ids, sort })
  const users = await describeUsers(db.read, { appId, users: rows, now })
  return { users, total, isMore, totalPages: pageCount(total, limit), counts }
}

async function countEntitled(db: Reader, appId: string, levels: readonly number[]): Promise<number> {
  let total = 0
  for (const level of levels) total += await countEntitledUsers(db, appId, level)
  return total
}

/** Undefined if one of the statuses has not been counted. */
function knownTotal(counts: UserCounts, statuses: readonly (keyof UserCounts)[]): number | undefined {
  if (statuses.length === 0) return counts.total
  const known = statuses.map((status) => counts[status])
  return known.includes(null) ? undefined : known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

async function countMatching(
  db: Database,
  choice: FilterOf,
  { known, countUpTo, page }: { known: number | undefined; page: PageById | undefined } & CountLimit,
): Promise<RowCount> {
  if (known !== undefined) return { total: known, isMore: false }
  if (countUpTo !== undefined) return countFilteredUpTo(db, choice, countUpTo, page)
  return { total: await countFiltered(db, choice), isMore: false }
}

/**
 * The totals of an app. One changes into the other with time, so that Active and Expired have to be counted: in long
 * lists only up to a limit, unless they are needed. Null if there are more of both.
 */
export async function countUsers(
  db: Database,
  appId: string,
  now: number,
  { isStatusNeeded = false } = {},
): Promise<UserCounts> {
  const { total, plain, banned, paused } = await countStates(db.reports, appId)
  const of = (active: number) => ({ total, banned, paused, active, expired: Math.max(0, plain - active) })
  if (plain === 0) return of(0)
  if (isStatusNeeded || total <= longList) return of(await countPlain(db.reports, { appId, now, status: 'active' }))
  const active = await countPlainUpTo(db.reports, { appId, now, status: 'active' }, maxCounted)
  if (!active.isMore) return of(active.total)
  const expired = await countPlainUpTo(db.reports, { appId, now, status: 'expired' }, maxCounted)
  return expired.isMore ? { total, banned, paused, active: null, expired: null } : of(plain - expired.total)
}
