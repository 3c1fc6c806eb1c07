import type { Tx } from '#database/database.ts'
import { creditPause } from '#features/entitlements/entitlements.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changeOf } from '#server/audit/changes.ts'
import { endRejectedSessions } from '../session-store/session-store.actions.ts'
import { getUser, lockUser } from './users.actions.ts'
import type { User } from './users.reads.ts'
import { updateUserRows, updateUserRowsById } from './users.writes.ts'

/** Whether users may use the program: bans, pauses, and the machines that they are bound to. */

const idsOf = (users: readonly { id: number }[]): number[] => users.map(({ id }) => id)

/** Bans or unbans a user; without `banned`, toggles the state. */
export async function banUser(
  tx: Tx,
  context: AppContext,
  { username, ...form }: { username: string; banned?: boolean | undefined },
): Promise<User> {
  const user = await lockUser(tx, context.app.id, username)
  const banned = form.banned ?? user.banned === 0
  await setUsersBanned(tx, { appId: user.app_id, users: [user], banned, now: context.now })
  await recordAudit(tx, context, {
    act: banned ? 'user.ban' : 'user.unban',
    target: user.username,
    changes: changeOf('banned', user.banned === 1, banned),
  })
  return { ...user, banned: banned ? 1 : 0 }
}

/** Pauses or unpauses a user; without `paused`, toggles the state. */
export async function pauseUser(
  tx: Tx,
  context: AppContext,
  { username, operation, ...form }: { username: string; paused?: boolean | undefined; operation?: string },
): Promise<User> {
  const { app, now } = context
  const user = await lockUser(tx, app.id, username)
  const paused = form.paused ?? user.paused === 0
  await setUsersPaused(tx, { appId: app.id, users: [user], paused, now })
  await recordAudit(tx, context, {
    act: paused ? 'user.pause' : 'user.unpause',
    target: user.username,
    changes: changeOf('paused', user.paused === 1, paused),
    ...(operation !== undefined && { operations: [operation] }),
  })
  return getUser(tx.db, app.id, username)
}

/** Unbinds the machine of a user. */
export async function resetUserHwid(
  tx: Tx,
  context: AppContext,
  username: string,
  operations: readonly string[] = [],
): Promise<User> {
  const user = await lockUser(tx, context.app.id, username)
  await resetHwids(tx, user.app_id, [user])
  await recordAudit(tx, context, { act: 'user.reset-hwid', target: user.username, operations })
  return { ...user, hwid_hash: null }
}

/** A ban ends the live sessions immediately; after it is lifted, the user can sign in again. Users must be locked. */
export async function setUsersBanned(
  tx: Tx,
  { appId, users, banned, now }: { appId: string; users: readonly { id: number }[]; banned: boolean; now: number },
): Promise<void> {
  const ids = idsOf(users)
  if (ids.length === 0) return
  await updateUserRows(tx.db, appId, ids, { banned: banned ? 1 : 0 })
  tx.publish(`access:${appId}`)
  if (banned) await endRejectedSessions(tx, { appId, userIds: ids }, 'USER_BANNED', now)
}

/**
 * A pause stops the user's time and rejects the program immediately; unpausing restores the remaining time to the
 * second. Pausing a paused user changes nothing. Users must be locked.
 */
export async function setUsersPaused(
  tx: Tx,
  { appId, users, paused, now }: { appId: string; users: readonly User[]; paused: boolean; now: number },
): Promise<void> {
  const changing = users.filter((user) => user.paused !== (paused ? 1 : 0))
  if (changing.length === 0) return
  if (!paused) await creditPause(tx, { appId, users: changing, now })
  const change = paused ? { paused: 1, paused_at: now } : { paused: 0, paused_at: null }
  await updateUserRows(tx.db, appId, idsOf(changing), change)
  tx.publish(`access:${appId}`)
}

/** Restores the pauses of locked users: their start, or null without a pause. Does not change the remaining time. */
export async function restorePauses(
  tx: Tx,
  appId: string,
  pausedAt: ReadonlyMap<number, number | null>,
): Promise<void> {
  const paused = new Map([...pausedAt].filter(([, at]) => at !== null))
  const ids = [...pausedAt.keys()].filter((id) => !paused.has(id))
  await updateUserRows(tx.db, appId, ids, { paused: 0, paused_at: null })
  await updateUserRows(tx.db, appId, [...paused.keys()], { paused: 1 })
  await updateUserRowsById(tx.db, appId, 'paused_at', paused)
  tx.publish(`access:${appId}`)
}

/** Unbinds machines: the next machine that signs in is bound. Users must be locked. */
export async function resetHwids(tx: Tx, appId: string, users: readonly User[]): Promise<void> {
  if (users.length === 0) return
  await updateUserRows(tx.db, appId, idsOf(users), { hwid_hash: null })
  tx.publish(`access:${appId}`)
}

/** Restores the machine bindings of locked users. */
export async function restoreHwids(
  tx: Tx,
  appId: string,
  hwidHashes: ReadonlyMap<number, string | null>,
): Promise<void> {
  await updateUserRowsById(tx.db, appId, 'hwid_hash', hwidHashes)
  tx.publish(`access:${appId}`)
}
