import type { Unit } from '#database/database.ts'
import { maxEpochSeconds } from '#contract/fields.ts'
import { endSessions } from '#features/sessions/sessions.actions.ts'
import { moveByPause } from './user-time.queries.ts'
import { listMeant, type UserFilter } from './users-list.queries.ts'
import { holdUsers, updateUserRows, type User } from './users.queries.ts'

/** Those of the named users that there are, held until the unit ends. */
export const heldUsers = (unit: Unit, appId: string, usernames: readonly string[]): Promise<User[]> =>
  holdUsers(unit.trx, appId, { usernames })

/** Those of these users that a filter still means, held until the unit ends; what was searched for is not asked again. */
export async function stillMeant(
  unit: Unit,
  { appId, now }: { appId: string; now: number },
  users: readonly User[],
  filter: UserFilter,
): Promise<User[]> {
  const held = await holdUsers(unit.trx, appId, { ids: users.map(({ id }) => id) })
  const meant = await listMeant(
    unit.trx,
    { appId, filter, now },
    held.map(({ id }) => id),
  )
  return held.filter(({ id }) => meant.has(id))
}

/** A ban ends the live sessions at once; lifting it lets the user sign in again (part 1 §4). */
export async function setUsersBanned(
  unit: Unit,
  appId: string,
  ids: readonly number[],
  banned: boolean,
): Promise<void> {
  if (ids.length === 0) return
  await holdUsers(unit.trx, appId, { ids })
  await updateUserRows(unit.trx, appId, ids, { banned: banned ? 1 : 0 })
  unit.announce(`access:${appId}`)
  if (banned) await endSessions(unit, { appId, userIds: ids }, 'USER_BANNED')
}

/**
 * A pause stops the user's time and refuses the program at once; its end gives back to the second what
 * was left. Pausing a paused user changes nothing.
 */
export async function setUsersPaused(
  unit: Unit,
  { appId, ids, paused, now }: { appId: string; ids: readonly number[]; paused: boolean; now: number },
): Promise<void> {
  const held = await holdUsers(unit.trx, appId, { ids })
  const changing = held.filter((user) => user.paused !== (paused ? 1 : 0)).map(({ id }) => id)
  if (changing.length === 0) return
  if (!paused) await moveByPause(unit.trx, { appId, userIds: changing, most: maxEpochSeconds, now })
  await updateUserRows(
    unit.trx,
    appId,
    changing,
    paused ? { paused: 1, paused_at: now } : { paused: 0, paused_at: null },
  )
  unit.announce(`access:${appId}`)
}

/** Unbinds machines: the next one that signs in is bound. */
export async function resetHwids(unit: Unit, appId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await holdUsers(unit.trx, appId, { ids })
  await updateUserRows(unit.trx, appId, ids, { hwid_hash: null })
  unit.announce(`access:${appId}`)
}
