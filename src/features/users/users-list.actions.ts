import type { Database } from '#database/database.ts'
import { countEntitledUsers } from './level-holders.queries.ts'
import { type DescribedUser, describeUsers } from './users.reply.ts'
import {
  countActive,
  countFiltered,
  countStates,
  type FilterOf,
  listPage,
  type UserFilter,
} from './users-list.queries.ts'

/** Above this many rows a walk through all of them is too much for every page. */
const maxCounted = 20_000

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
  totalPages: number
  counts: UserCounts
}

/** A page of users with the totals of the app. */
export async function usersPage(
  db: Database,
  { page, limit, appId, filter: asked, now }: FilterOf & { page: number; limit: number },
): Promise<UsersPage> {
  const holders = asked.level === undefined ? undefined : await countEntitledUsers(db.reports, appId, asked.level)
  const choice = { appId, filter: { ...asked, levelIsRare: holders !== undefined && holders <= maxCounted }, now }
  const narrowed = Boolean(asked.search?.trim()) || holders !== undefined
  const counts = await countUsers(db, choice, narrowed)
  const known = narrowed ? undefined : counts[keyOf(asked.status)]
  const onlyLevel = !asked.search?.trim() && (asked.status ?? 'any') === 'any' ? holders : undefined
  const total = known ?? onlyLevel ?? (await countFiltered(db, choice))
  const rows = await listPage(db, { ...choice, offset: (page - 1) * limit, limit, total })
  const users = await describeUsers(db.read, { appId, users: rows, now })
  return { users, total, totalPages: Math.max(1, Math.ceil(total / limit)), counts }
}

const keyOf = (status: UserFilter['status']): keyof UserCounts =>
  status === undefined || status === 'any' ? 'total' : status

async function countUsers(db: Database, { appId, filter, now }: FilterOf, narrowed: boolean): Promise<UserCounts> {
  const { total, plain, banned, paused } = await countStates(db.reports, appId)
  const asked = !narrowed && (filter.status === 'active' || filter.status === 'expired')
  if (!asked && total > maxCounted) return { total, banned, paused, active: null, expired: null }
  const active = plain === 0 ? 0 : await countActive(db.reports, appId, now)
  return { total, banned, paused, active, expired: Math.max(0, plain - active) }
}
