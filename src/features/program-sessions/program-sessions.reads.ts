import { countAll } from '#database/count-all.ts'
import { expressionBuilder, sql } from 'kysely'
import { storedCountriesOf } from '#contract/country-filter.ts'
import { type ListOf, valuesOf } from '#contract/list-field.ts'
import { readSort, type SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import { containsText } from '#database/search-source.ts'
import {
  earliestActiveHeartbeat,
  listedAfterExpirySeconds,
  type sessionSorts,
  type SessionStatus,
} from '#features/session-store/session-store.rules.ts'
import { fingerprintIn } from '#features/users/user-list.rules.ts'

export interface SessionFilter {
  appId: string
  search?: string | undefined
  userId?: number | undefined
  /** Of those at `listedAt`; several are separated by commas. */
  status?: ListOf<SessionStatus> | undefined
  /** Several are separated by commas. */
  country?: string | undefined
  /** Started at or after, and at or before: epoch seconds. */
  createdFrom?: number | undefined
  createdUntil?: number | undefined
  /** The same for the last heartbeat. */
  seenFrom?: number | undefined
  seenUntil?: number | undefined
  /** Fingerprint of a machine. */
  hwid?: string | undefined
  /** Exactly this address. */
  ip?: string | undefined
  /** Epoch seconds; without it, also sessions that are not listed any more but can still be renewed. */
  listedAt?: number
}

const row = expressionBuilder<{ session: Schema['client_sessions'] }, 'session'>()

/** The same rule as `sessionStatus`. */
function hasStatus(status: SessionStatus, now: number) {
  if (status === 'expired') return row('session.expires_at', '<=', now)
  const isActive = row('session.last_heartbeat_at', status === 'active' ? '>=' : '<', earliestActiveHeartbeat(now))
  return row.and([row('session.expires_at', '>', now), isActive])
}

/** The fingerprint, as the index of machines has it: a parameter would not match its expression. */
const device = sql<string>`substr(session.hwid_hash, 1, 12)`

/** Sessions that have not been ended. */
function filterSessions(db: Reader, filter: SessionFilter) {
  const { appId, search, userId, status, country, listedAt } = filter
  let query = db
    .selectFrom('client_sessions as session')
    .leftJoin('users as user', (join) =>
      join.onRef('user.app_id', '=', 'session.app_id').onRef('user.id', '=', 'session.user_id'),
    )
    .where('session.app_id', '=', appId)
    .where('session.ended_code', 'is', null)
  if (listedAt !== undefined) {
    query = query.where('session.expires_at', '>', listedAt - listedAfterExpirySeconds)
    const statuses = valuesOf(status).map((each) => hasStatus(each, listedAt))
    if (statuses.length > 0) query = query.where(row.or(statuses))
  }
  const { createdFrom, createdUntil, seenFrom, seenUntil } = filter
  if (createdFrom !== undefined) query = query.where('session.created_at', '>=', createdFrom)
  if (createdUntil !== undefined) query = query.where('session.created_at', '<=', createdUntil)
  if (seenFrom !== undefined) query = query.where('session.last_heartbeat_at', '>=', seenFrom)
  if (seenUntil !== undefined) query = query.where('session.last_heartbeat_at', '<=', seenUntil)
  if (country) query = query.where('session.country', 'in', storedCountriesOf(country))
  const hwid = filter.hwid?.trim() ?? ''
  if (hwid !== '')
    query = query.where('session.hwid_hash', 'is not', null).where(device, '=', fingerprintIn(hwid) ?? hwid)
  const ip = filter.ip?.trim() ?? ''
  if (ip !== '') query = query.where('session.ip', '=', ip)
  if (userId !== undefined) query = query.where('session.user_id', '=', userId)
  const text = search?.trim() ?? ''
  if (text === '') return query
  const matches = containsText(sql`session.handle || ' ' || session.ip || ' ' || coalesce("user".username, '')`, text)
  const fingerprint = fingerprintIn(text)
  if (fingerprint === undefined) return query.where(matches)
  return query.where((where) => where.or([matches, where(device, '=', fingerprint)]))
}

export const countSessions = (db: Reader, filter: SessionFilter): Promise<number> =>
  countAll(filterSessions(db, filter))

export type ListedSession = Awaited<ReturnType<typeof listSessions>>[number]

interface SessionPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<(typeof sessionSorts)[number]> | undefined
}

/** By creation, ascending, the index is read backwards. */
export function listSessions(db: Reader, filter: SessionFilter & SessionPage) {
  const { column, descending } = readSort(filter.sort ?? '-created')
  return filterSessions(db, filter)
    .select([
      'session.handle',
      'session.ip',
      'session.country',
      'session.hwid_hash',
      'session.created_at',
      'session.last_heartbeat_at',
      'session.expires_at',
      'user.username',
    ])
    .orderBy(column === 'created' ? 'session.created_at' : 'session.expires_at', descending ? 'desc' : 'asc')
    .orderBy('session.handle', descending ? 'asc' : 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()
}

/** The next IDs after `after`, sorted by ID. */
export async function listSessionIdsAfter(
  db: Reader,
  filter: SessionFilter & { after: string; limit: number },
): Promise<string[]> {
  const rows = await filterSessions(db, filter)
    .select('session.handle')
    .where('session.handle', '>', filter.after)
    .orderBy('session.handle')
    .limit(filter.limit)
    .execute()
  return rows.map(({ handle }) => handle)
}
