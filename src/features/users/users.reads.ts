import { countAll } from '#database/count-all.ts'
import { type ExpressionBuilder, type ExpressionWrapper, type Selectable, sql, type SqlBool } from 'kysely'
import { type LevelList, levelsOf, type ListOf, valuesOf } from '#contract/list-field.ts'
import type { Database, Reader } from '#database/database.ts'
import { withoutIndex } from '#database/engine-differences.ts'
import { preparedQuery } from '#database/prepared-query.ts'
import { rowsOfApp } from '#database/rows-of-app.ts'
import type { Schema } from '#database/schema.ts'
import type { SearchedRows, SearchSource } from '#database/search-source.ts'
import {
  countedUpTo,
  countRows,
  countRowsUpTo,
  type PageById,
  type RowCount,
  rowsAfter,
} from '#database/searched-rows.ts'
import { listEntitlements } from '#features/entitlements/entitlements.reads.ts'
import { userStatus, type UserStatus } from './user-list.rules.ts'
import { usernameKey } from './users.rules.ts'
import type { UsersTable } from './users.table.ts'

export type User = Selectable<UsersTable>

export const findUser = (db: Reader, appId: string, username: string): Promise<User | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('app_id', '=', appId)
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst()

const userOfId = preparedQuery((db, { appId, id }: { appId: string; id: number }) =>
  db.selectFrom('users').selectAll().where('app_id', '=', appId).where('id', '=', id),
)

export async function findUserById(db: Reader, appId: string, id: number): Promise<User | undefined> {
  return (await userOfId(db, { appId, id }))[0]
}

/** The users with these IDs, as a transaction sees them. */
export const findUsersById = (db: Reader, appId: string, ids: readonly number[]): Promise<User[]> =>
  rowsOfApp(db, 'users', appId, { column: 'id', values: ids })

/** The users with these names, of any spelling, oldest first. */
export async function findUsersByName(db: Reader, appId: string, names: readonly string[]): Promise<User[]> {
  if (names.length === 0) return []
  return db
    .selectFrom('users')
    .selectAll()
    .where('app_id', '=', appId)
    .where('username_key', 'in', names.map(usernameKey))
    .orderBy('id')
    .execute()
}

/** Whether a user of the app still has an imported hash; reads all of them. */
export async function hasImportedHash(db: Reader, appId: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('app_id', '=', appId)
    .where(sql<boolean>`substr(password_hash, 1, 2) = '$2'`)
    .limit(1)
    .executeTakeFirst()
  return user !== undefined
}

export const statusOf = (user: User, now: number): UserStatus =>
  userStatus({
    banned: user.banned === 1,
    paused: user.paused === 1,
    hasActiveSubscription: user.access_until > now,
  })

interface EndsBetween {
  appId: string
  /** Epoch seconds, exclusive. */
  since: number
  /** Inclusive. */
  until: number
}

/** Whether there are users whose time ends in between, paused or not; for `reports`. */
export async function hasEnds(db: Reader, { appId, since, until }: EndsBetween): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('app_id', '=', appId)
    .where('banned', 'in', [0, 1])
    .where('paused', 'in', [0, 1])
    .where('access_until', '>', since)
    .where('access_until', '<=', until)
    .limit(1)
    .executeTakeFirst()
  return user !== undefined
}

interface EndsAfter {
  appId: string
  /** Epoch seconds and ID of the last user seen. */
  after: { at: number; id: number }
  /** Epoch seconds, inclusive. */
  until: number
  limit: number
}

interface EndOfTime {
  id: number
  username: string
  /** Epoch seconds. */
  at: number
  /** The user is paused since before, so the rest of the time is kept. */
  isPaused: boolean
}

/** Users by when their time ends. One query for each state, so that the index has them in this order. */
export async function listEnds(db: Reader, { appId, after, until, limit }: EndsAfter): Promise<EndOfTime[]> {
  const ends: EndOfTime[] = []
  const states = [0, 1].flatMap((banned) => [0, 1].map((paused) => ({ banned, paused })))
  for (const { banned, paused } of states) {
    const users = db
      .selectFrom('users')
      .select(['id', 'username', 'access_until', 'paused_at'])
      .where('app_id', '=', appId)
      .where('banned', '=', banned)
      .where('paused', '=', paused)
      .orderBy('access_until')
      .orderBy('id')
      .limit(limit)
    const ofSameSecond = await users.where('access_until', '=', after.at).where('id', '>', after.id).execute()
    const later = await users.where('access_until', '>', after.at).where('access_until', '<=', until).execute()
    for (const { id, username, access_until, paused_at } of [...ofSameSecond, ...later]) {
      const at = Number(access_until)
      ends.push({ id: Number(id), username, at, isPaused: paused_at !== null && Number(paused_at) < at })
    }
  }
  return ends.toSorted((one, other) => one.at - other.at || one.id - other.id).slice(0, limit)
}

/** Columns searched on the users screen. */
export const usersSearch: SearchSource<'users'> = {
  table: 'users',
  columns: ['username', 'email', 'ip'],
}

type UserStatusFilter = 'banned' | 'paused' | 'active' | 'expired' | 'any'

/** The statuses of a filter; none for any. */
export function statusesOf(status: UserFilter['status']): Exclude<UserStatusFilter, 'any'>[] {
  const statuses = valuesOf(status)
  return statuses.includes('any') ? [] : (statuses as Exclude<UserStatusFilter, 'any'>[])
}

export interface UserFilter {
  search?: string | undefined
  /** Hash of the search text, which may be a complete hardware ID. */
  hwidHash?: string | undefined
  status?: ListOf<UserStatusFilter> | undefined
  level?: LevelList | undefined
  /** Created at or after, and at or before: epoch seconds. */
  createdFrom?: number | undefined
  createdUntil?: number | undefined
  /** Last signed in at or after, and at or before: epoch seconds. */
  lastLoginFrom?: number | undefined
  lastLoginUntil?: number | undefined
  /** Few users have the levels, so they are looked up first instead of checking each user. */
  levelIsRare?: boolean | undefined
  /** Users are looked up by their status instead of checking each one in order: to count them, or if they are few. */
  byStatus?: boolean | undefined
  /** Only users with a bound machine. */
  bound?: boolean | undefined
}

/** Whether only users who were created in a period match. */
export const isOfCreation = ({ createdFrom, createdUntil }: UserFilter): boolean =>
  createdFrom !== undefined || createdUntil !== undefined

/** Whether only users whose last sign-in was in a period match. */
export const isOfSignIns = ({ lastLoginFrom, lastLoginUntil }: UserFilter): boolean =>
  lastLoginFrom !== undefined || lastLoginUntil !== undefined

export interface FilterOf {
  appId: string
  filter: UserFilter
  now: number
}

type Where = ExpressionBuilder<Schema, 'users'>

type Condition = ExpressionWrapper<Schema, 'users', SqlBool>

const states = { plain: 0, paused: 1, banned: 2 } as const

/**
 * Status and level as conditions on `users`. Lists are read in ID order through `users_list`, which contains these
 * columns; SQLite, which does not know how common a status is, would otherwise sort all its users.
 */
function statusConditions(db: Reader, where: Where, { appId, filter, now }: FilterOf): Condition {
  const { levelIsRare, byStatus, bound } = filter
  const [statuses, levels] = [statusesOf(filter.status), levelsOf(filter.level)]
  const conditions: Condition[] = []
  const of = (name: 'banned' | 'paused' | 'access_until') =>
    byStatus ? sql.ref<number>(`users.${name}`) : withoutIndex<number>(db, `users.${name}`)
  const isPlain = [where(of('banned'), '=', 0), where(of('paused'), '=', 0)]
  const ofStatus = {
    banned: () => where(of('banned'), '=', 1),
    paused: () => where.and([where(of('banned'), '=', 0), where(of('paused'), '=', 1)]),
    active: () => where.and([...isPlain, where(of('access_until'), '>', now)]),
    expired: () => where.and([...isPlain, where(of('access_until'), '<=', now)]),
  }
  if (statuses.length > 0) conditions.push(where.or(statuses.map((status) => ofStatus[status]())))
  if (levels.length > 0 && levelIsRare) conditions.push(where('users.id', 'in', entitledUsers(where, appId, levels)))
  else if (levels.length > 0) conditions.push(where.exists(entitlementOfUser(where, levels)))
  if (bound) conditions.push(where('hwid_hash', 'is not', null))
  if (filter.createdFrom !== undefined) conditions.push(where('users.created_at', '>=', filter.createdFrom))
  if (filter.createdUntil !== undefined) conditions.push(where('users.created_at', '<=', filter.createdUntil))
  if (filter.lastLoginFrom !== undefined) conditions.push(where('users.last_login_at', '>=', filter.lastLoginFrom))
  if (filter.lastLoginUntil !== undefined) conditions.push(where('users.last_login_at', '<=', filter.lastLoginUntil))
  return where.and(conditions)
}

const entitlementOfUser = (where: Where, levels: readonly number[]) =>
  where
    .selectFrom('user_subscriptions as entitlement')
    .select(sql<number>`1`.as('one'))
    .whereRef('entitlement.app_id', '=', 'users.app_id')
    .whereRef('entitlement.user_id', '=', 'users.id')
    .where('entitlement.level', 'in', [...levels])

const entitledUsers = (where: Where, appId: string, levels: readonly number[]) =>
  where
    .selectFrom('user_subscriptions as entitlement')
    .select('entitlement.user_id')
    .where('entitlement.app_id', '=', appId)
    .where('entitlement.level', 'in', [...levels])

/** Undefined if no user is bound to it: the search text is not a hardware ID, or an unknown one. */
async function usersOfMachine(
  db: Database,
  appId: string,
  hwidHash: string | undefined,
): Promise<SearchedRows<'users'> | undefined> {
  if (hwidHash === undefined) return undefined
  const query = db.reports.selectFrom('users').where('app_id', '=', appId).where('hwid_hash', '=', hwidHash)
  if (!(await query.select('id').limit(1).executeTakeFirst())) return undefined
  return { query, id: sql.ref<number>('users.id') }
}

/** The users of an app that match a filter, read from `reports`, which has the search index. */
export async function matchingUsers(db: Database, choice: FilterOf): Promise<SearchedRows<'users'>> {
  const { appId, filter } = choice
  const found =
    (await usersOfMachine(db, appId, filter.hwidHash)) ??
    (await db.searched(usersSearch, { appId, text: filter.search }))
  // An expression has no index, so that the status is looked up in its own, and its users are sorted.
  const id = filter.byStatus ? sql<number>`users.id + 0` : found.id
  return { id, query: found.query.where((where) => statusConditions(db.reports, where, choice)) }
}

/** Those of the locked users that still match a filter; its search is not repeated. */
export async function stillMatches(
  db: Reader,
  users: readonly User[],
  { appId, filter, now }: FilterOf,
): Promise<User[]> {
  const [statuses, levels] = [statusesOf(filter.status) as readonly string[], levelsOf(filter.level)]
  const matching = users.filter(
    (user) =>
      (statuses.length === 0 || statuses.includes(statusOf(user, now).toLowerCase())) &&
      (!filter.bound || user.hwid_hash !== null) &&
      user.created_at >= (filter.createdFrom ?? 0) &&
      user.created_at <= (filter.createdUntil ?? Infinity) &&
      (!isOfSignIns(filter) ||
        (user.last_login_at !== null &&
          user.last_login_at >= (filter.lastLoginFrom ?? 0) &&
          user.last_login_at <= (filter.lastLoginUntil ?? Infinity))),
  )
  if (levels.length === 0) return matching
  const entitlements = await listEntitlements(db, { appId, userIds: matching.map(({ id }) => id) })
  const entitled = new Set(entitlements.filter(({ level }) => levels.includes(level)).map(({ user_id }) => user_id))
  return matching.filter(({ id }) => entitled.has(id))
}

/** Users by state, from counts maintained by triggers. */
export async function countStates(db: Reader, appId: string) {
  const rows = await db
    .selectFrom('user_counts')
    .select((select) => ['state', select.fn.sum<number>('count').as('n')])
    .where('app_id', '=', appId)
    .groupBy('state')
    .execute()
  const of = (state: number) => Number(rows.find((row) => row.state === state)?.n ?? 0)
  const [plain, paused, banned] = [of(states.plain), of(states.paused), of(states.banned)]
  return { total: plain + paused + banned, plain, paused, banned }
}

/** Users neither banned nor paused: active with an unexpired entitlement, otherwise expired. */
const plainUsers = (db: Reader, { appId, status, now }: PlainUsers) =>
  db
    .selectFrom('users')
    .where('app_id', '=', appId)
    .where('banned', '=', 0)
    .where('paused', '=', 0)
    .where('access_until', status === 'active' ? '>' : '<=', now)

interface PlainUsers {
  appId: string
  status: 'active' | 'expired'
  now: number
}

export const countPlain = (db: Reader, of: PlainUsers): Promise<number> => countAll(plainUsers(db, of))

/** The same, counted no further than `max`. */
export async function countPlainUpTo(db: Reader, of: PlainUsers, max: number): Promise<RowCount> {
  const { n } = await plainUpTo(db, of, max).executeTakeFirstOrThrow()
  return countedUpTo(Number(n), max)
}

export const plainUpTo = (db: Reader, of: PlainUsers, max: number) =>
  db
    .selectFrom(
      plainUsers(db, of)
        .select('access_until')
        .orderBy('access_until')
        .limit(max + 1)
        .as('counted'),
    )
    .select((select) => select.fn.countAll<number>().as('n'))

/** The number of matching rows, up to an ID if there is one. */
export const countFiltered = async (db: Database, choice: FilterOf, newestId?: number): Promise<number> =>
  countRows(await matchingUsers(db, choice), newestId)

export const countFilteredUpTo = async (
  db: Database,
  choice: FilterOf,
  max: number,
  page?: PageById,
): Promise<RowCount> => countRowsUpTo(db, await matchingUsers(db, choice), max, page)

/** The next users after `afterId`, oldest first. */
export const listAfter = async (
  db: Database,
  { afterId, limit, ...choice }: FilterOf & { afterId: number; limit: number },
): Promise<User[]> => rowsAfter(usersSearch, await matchingUsers(db, choice), { afterId, limit })

/** Number of users in each of these apps, from counts maintained by triggers. */
export async function countUsersOfApps(db: Reader, appIds: readonly string[]): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('user_counts')
    .select((select) => ['app_id', select.fn.sum<number>('count').as('n')])
    .where('app_id', 'in', [...appIds])
    .groupBy('app_id')
    .execute()
  return new Map(rows.map((row) => [row.app_id, Number(row.n)]))
}

export async function countAllUsers(db: Reader): Promise<number> {
  const { n } = await db
    .selectFrom('user_counts')
    .select((select) => select.fn.sum<number | null>('count').as('n'))
    .executeTakeFirstOrThrow()
  return Number(n ?? 0)
}
