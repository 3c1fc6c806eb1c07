import type { Tx } from '#database/database.ts'
import { maxEpochSeconds } from '#contract/fields.ts'
import { endSessions } from '#features/sessions/sessions.actions.ts'
import { shiftExpiryByPause } from './user-time.queries.ts'
import { listMatching, type UserFilter } from './users-list.queries.ts'
import { lockUserRows, updateUserRows, type User } from './users.queries.ts'

/** Those of the named users that there are, held until the transaction ends. */
export const lockUsers = (tx: Tx, appId: string, usernames: readonly string[]): Promise<User[]> =>
  lockUserRows(tx.db, appId, { usernames })

/** Those of these users that a filter still means, held until the transaction ends; what was searched for is not asked again. */
export async function stillMatches(
  tx: Tx,
  { appId, now }: { appId: string; now: number },
  users: readonly User[],
  filter: UserFilter,
): Promise<User[]> {
  const held = await lockUserRows(tx.db, appId, { ids: users.map(({ id }) => id) })
  const meant = await listMatching(
    tx.db,
    { appId, filter, now },
    held.map(({ id }) => id),
  )
  return held.filter(({ id }) => meant.has(id))
}

/** A ban ends the live sessions at once; lifting it lets the user sign in again (part 1 §4). */
export async function setUsersBanned(tx: Tx, appId: string, ids: readonly number[], banned: boolean): Promise<void> {
  if (ids.length === 0) return
  await lockUserRows(tx.db, appId, { ids })
  await updateUserRows(tx.db, appId, ids, { banned: banned ? 1 : 0 })
  tx.publish(`access:${appId}`)
  if (banned) await endSessions(tx, { appId, userIds: ids }, 'USER_BANNED')
}

/**
 * A pause stops the user's time and refuses the program at once; its end gives back to the second what
 * was left. Pausing a paused user changes nothing.
 */
export async function setUsersPaused(
  tx: Tx,
  { appId, ids, paused, now }: { appId: string; ids: readonly number[]; paused: boolean; now: number },
): Promise<void> {
  const held = await lockUserRows(tx.db, appId, { ids })
  const changing = held.filter((user) => user.paused !== (paused ? 1 : 0)).map(({ id }) => id)
  if (changing.length === 0) return
  if (!paused) await shiftExpiryByPause(tx.db, { appId, userIds: changing, max: maxEpochSeconds, now })
  await updateUserRows(tx.db, appId, changing, paused ? { paused: 1, paused_at: now } : { paused: 0, paused_at: null })
  tx.publish(`access:${appId}`)
}

/** Unbinds machines: the next one that signs in is bound. */
export async function resetHwids(tx: Tx, appId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await lockUserRows(tx.db, appId, { ids })
  await updateUserRows(tx.db, appId, ids, { hwid_hash: null })
  tx.publish(`access:${appId}`)
}
