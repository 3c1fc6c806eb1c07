import type { Tx } from '#database/database.ts'
import { endRejectedSessions, endSessions } from '../session-store/session-store.actions.ts'
import { usernameKey } from './users.rules.ts'
import { endUserResets } from './users.actions.ts'
import type { User } from './users.reads.ts'
import { insertUsers, lockUserRows, updateUserRow } from './users.writes.ts'

/** What an import stores of a user. */
export interface ImportedUser {
  username: string
  email: string
  password_hash: string | null
  hwid_hash: string | null
  banned: number
  /** From `accessUntil`. */
  access_until: number
}

export type UserColumns = Partial<Omit<ImportedUser, 'username' | 'access_until'>>

/** Creates users and returns their IDs by `usernameKey`; taken names are skipped. */
export async function insertImportedUsers(
  tx: Tx,
  { appId, now }: { appId: string; now: number },
  users: readonly ImportedUser[],
): Promise<Map<string, number>> {
  const rows = users.map((user) => ({
    ...user,
    app_id: appId,
    username_key: usernameKey(user.username),
    paused_at: null,
    created_at: now,
    last_login_at: null,
  }))
  const inserted = await insertUsers(tx.db, rows)
  tx.publish(`access:${appId}`)
  return new Map(inserted.map(({ id, username_key: key }) => [key, Number(id)]))
}

/**
 * Overwrites columns of locked users; a ban, another password or another machine ends their sessions, and another
 * password or email address the links that set a password.
 */
export async function overwriteUsers(
  tx: Tx,
  { appId, now }: { appId: string; now: number },
  users: readonly { user: Pick<User, 'id'>; columns: UserColumns }[],
): Promise<void> {
  for (const { user, columns } of users) {
    if (Object.keys(columns).length > 0) await updateUserRow(tx.db, appId, user.id, columns)
  }
  const idsWith = (matches: (columns: UserColumns) => boolean) =>
    users.filter(({ columns }) => matches(columns)).map(({ user }) => user.id)
  const moved = idsWith(({ password_hash, hwid_hash }) => password_hash !== undefined || hwid_hash !== undefined)
  const banned = idsWith((columns) => columns.banned === 1)
  const readdressed = idsWith(({ email, password_hash }) => email !== undefined || password_hash !== undefined)
  await endUserResets(tx, { appId, now }, readdressed)
  if (moved.length > 0) await endSessions(tx, { appId, userIds: moved }, 'SESSION_ENDED')
  if (banned.length > 0) await endRejectedSessions(tx, { appId, userIds: banned }, 'USER_BANNED', now)
  tx.publish(`access:${appId}`)
}

/** Users by their names, locked until the transaction ends. */
export const lockUsersByName = (tx: Tx, appId: string, names: readonly string[]): Promise<User[]> =>
  lockUserRows(tx.db, appId, { names })
