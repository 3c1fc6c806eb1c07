import { sql } from 'kysely'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import { likePattern } from '#database/search-source.ts'
import { fingerprintLength } from '#features/users/users.rules.ts'

export interface SessionFilter {
  appId: string
  search?: string | undefined
  userId?: number | undefined
  /** Epoch seconds; without it, also sessions that are not listed any more but can still be renewed. */
  expiresAfter?: number
}

/** Sessions that have not been ended. */
function filterSessions(db: Reader, { appId, search, userId, expiresAfter }: SessionFilter) {
  let query = db
    .selectFrom('client_sessions as session')
    .leftJoin('users as user', (join) =>
      join.onRef('user.app_id', '=', 'session.app_id').onRef('user.id', '=', 'session.user_id'),
    )
    .where('session.app_id', '=', appId)
    .where('session.ended_code', 'is', null)
  if (expiresAfter !== undefined) query = query.where('session.expires_at', '>', expiresAfter)
  if (userId !== undefined) query = query.where('session.user_id', '=', userId)
  const text = search?.trim() ?? ''
  if (text === '') return query
  const shown = sql`lower(session.handle || ' ' || session.ip || ' ' || coalesce("user".username, ''))`
  const matches = sql<boolean>`${shown} like lower(${likePattern(text)}) escape '\\'`
  if (text.length !== fingerprintLength) return query.where(matches)
  const device = sql<string>`substr(session.hwid_hash, 1, cast(${fingerprintLength} as integer))`
  return query.where((where) => where.or([matches, where(device, '=', text)]))
}

export async function countSessions(db: Reader, filter: SessionFilter): Promise<number> {
  const { n } = await filterSessions(db, filter)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export type ListedSession = Awaited<ReturnType<typeof listSessions>>[number]

interface SessionPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<'created'> | undefined
}

/** Ascending, the index is read backwards. */
export const listSessions = (db: Reader, filter: SessionFilter & SessionPage) =>
  filterSessions(db, filter)
    .select([
      'session.handle',
      'session.ip',
      'session.hwid_hash',
      'session.created_at',
      'session.last_heartbeat_at',
      'session.expires_at',
      'user.username',
    ])
    .orderBy('session.created_at', filter.sort === 'created' ? 'asc' : 'desc')
    .orderBy('session.handle', filter.sort === 'created' ? 'desc' : 'asc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()

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
