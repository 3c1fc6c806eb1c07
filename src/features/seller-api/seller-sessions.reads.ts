import type { Reader } from '#database/database.ts'

/** Program sessions of one user, read through the index of users. */

interface UserSessions {
  appId: string
  userId: number
}

/** Sessions that have not been ended. */
const sessionsOf = (db: Reader, { appId, userId }: UserSessions) =>
  db
    .selectFrom('client_sessions')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('ended_code', 'is', null)

export async function countUserSessions(
  db: Reader,
  { expiresAfter, ...user }: UserSessions & { expiresAfter: number },
): Promise<number> {
  const { n } = await sessionsOf(db, user)
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('expires_at', '>', expiresAfter)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** One page, newest first. */
export const listUserSessions = (
  db: Reader,
  { expiresAfter, offset, limit, ...user }: UserSessions & { expiresAfter: number; offset: number; limit: number },
) =>
  sessionsOf(db, user)
    .select(['handle', 'ip', 'created_at', 'last_heartbeat_at', 'expires_at'])
    .where('expires_at', '>', expiresAfter)
    .orderBy('created_at', 'desc')
    .orderBy('handle')
    .limit(limit)
    .offset(offset)
    .execute()

/** The next IDs after `after`, sorted by ID; also of sessions that are not listed any more but can still be renewed. */
export async function listUserSessionIdsAfter(
  db: Reader,
  { after, limit, ...user }: UserSessions & { after: string; limit: number },
): Promise<string[]> {
  const rows = await sessionsOf(db, user)
    .select('handle')
    .where('handle', '>', after)
    .orderBy('handle')
    .limit(limit)
    .execute()
  return rows.map(({ handle }) => handle)
}
