import type { AuditEvent } from '#contract/audit-events.ts'
import type { Reader, Tx } from '#database/database.ts'
import {
  entitlementRemoval,
  removeEntitlement,
  restoreEntitlement,
  restoreExpiry,
} from '#features/entitlements/entitlements.actions.ts'
import { type EntitlementRow, findEntitlement, listEntitlements } from '#features/entitlements/entitlements.reads.ts'
import { findLevel } from '#features/levels/levels.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import type { UndoActions } from '#server/bulk/bulk.ts'
import { newOperation, recordUndo, type RowStates } from '#server/bulk/undo-log.ts'
import { pauseUser, restoreHwids, restorePauses, setUsersBanned } from './users.actions.ts'
import { findUsersById, type User } from './users.reads.ts'
import { lockUserRows } from './users.writes.ts'

/** State needed to undo an action on a user: only the columns it changes. */
export interface UserState {
  banned?: number
  pausedAt?: number | null
  hwidHash?: string | null
  /** Expiry of entitlements, by level. */
  expiry?: Record<string, number | null>
  /** The entitlement to be removed; null once it is. */
  entitlement?: EntitlementRow | null
}

export type TimeAction = 'extend' | 'subtract'
export type UndoableAction = 'ban' | 'unban' | 'pause' | 'unpause' | 'reset-hwid' | TimeAction

const statesOfAction: Record<UndoableAction, readonly (keyof typeof readState)[]> = {
  ban: ['banned'],
  unban: ['banned'],
  pause: ['pausedAt', 'expiry'],
  unpause: ['pausedAt', 'expiry'],
  'reset-hwid': ['hwidHash'],
  extend: ['expiry'],
  subtract: ['expiry'],
}

type Expiry = NonNullable<UserState['expiry']>

const readState = {
  banned: ({ banned }: User) => banned,
  pausedAt: ({ paused_at }: User) => paused_at,
  hwidHash: ({ hwid_hash }: User) => hwid_hash,
  expiry: (_user: User, expiry: Expiry) => expiry,
}

/** Current state of these users, as far as an action changes it: for time changes, on one level or all. */
export async function statesOfUsers(
  db: Reader,
  appId: string,
  ids: readonly number[],
  { action, level }: { action: UndoableAction; level?: number | undefined },
): Promise<Map<number, UserState>> {
  const names = statesOfAction[action]
  const users = await findUsersById(db, appId, ids)
  const entitlements = names.includes('expiry') ? await listEntitlements(db, { appId, userIds: ids, level }) : []
  const byUser = Map.groupBy(entitlements, (row) => row.user_id)
  const stateOf = (user: User): UserState => {
    const expiry = Object.fromEntries((byUser.get(user.id) ?? []).map((row) => [row.level, row.expires_at]))
    return Object.fromEntries(names.map((name) => [name, readState[name](user, expiry)]))
  }
  return new Map(users.map((user) => [user.id, stateOf(user)]))
}

/** Pauses or unpauses one user, so that undo restores the time of the pause and every expiry to the second. */
export async function pauseUserUndoably(
  tx: Tx,
  context: AppContext,
  user: User,
  paused: boolean | undefined,
): Promise<{ user: User; undoId: string | null }> {
  const { id: appId } = context.app
  const action = user.paused === 1 ? 'unpause' : 'pause'
  const stateNow = async () => (await statesOfUsers(tx.db, appId, [user.id], { action })).get(user.id) as UserState
  const before = await stateNow()
  const newId = newOperation()
  const changed = await pauseUser(tx, context, { username: user.username, paused, operation: newId })
  if (changed.paused === user.paused) return { user: changed, undoId: null }
  const states = [{ id: user.id, before, after: await stateNow() }]
  return {
    user: changed,
    undoId: await recordUndo(tx, context, { act: `user.${action}`, undoId: undefined, newId, states }),
  }
}

/** Removes a level from a locked user; undo restores the row with the license it came from. */
export async function removeSubscription(
  tx: Tx,
  context: AppContext,
  user: User,
  level: number,
): Promise<string | null> {
  const newId = newOperation()
  const entitlement = await removeEntitlement(tx, context, user, { level, operation: newId })
  const states: RowStates<UserState>[] = [{ id: user.id, before: { entitlement }, after: { entitlement: null } }]
  return recordUndo(tx, context, { act: entitlementRemoval, undoId: undefined, newId, states })
}

/** Current state in place of removed entitlements; a deleted level matches nothing. */
async function statesOfRemoved(
  db: Reader,
  appId: string,
  recorded: readonly RowStates<UserState>[],
): Promise<Map<number, UserState>> {
  const states = new Map<number, UserState>()
  const users = new Set(
    (
      await findUsersById(
        db,
        appId,
        recorded.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  )
  for (const { id, before } of recorded) {
    const { level } = before.entitlement as EntitlementRow
    if (!users.has(id) || !(await findLevel(db, appId, level))) continue
    states.set(id, { entitlement: (await findEntitlement(db, { appId, userId: id, level })) ?? null })
  }
  return states
}

const actionOf: Partial<Record<AuditEvent, UndoableAction>> = {
  'user.ban': 'ban',
  'user.bulk-ban': 'ban',
  'user.unban': 'unban',
  'user.bulk-unban': 'unban',
  'user.pause': 'pause',
  'user.bulk-pause': 'pause',
  'user.unpause': 'unpause',
  'user.bulk-unpause': 'unpause',
  'user.reset-hwid': 'reset-hwid',
  'user.bulk-reset-hwid': 'reset-hwid',
  'user.extend': 'extend',
  'user.bulk-extend': 'extend',
  'user.subtract': 'subtract',
  'user.bulk-subtract': 'subtract',
}

/** Undoes any action on users except deletions. */
export const undoUserActions = ({ app: { id: appId }, now }: AppContext): UndoActions<UserState> => ({
  events: [...(Object.keys(actionOf) as AuditEvent[]), entitlementRemoval],
  noun: 'users',
  lock: async (tx, _act, ids) =>
    (await lockUserRows(tx.db, appId, { ids })).map(({ id, username: name }) => ({ id, name })),
  async snapshot(tx, act, recorded) {
    const action = actionOf[act]
    if (!action) return statesOfRemoved(tx.db, appId, recorded)
    const ids = recorded.map(({ id }) => id)
    const current = await statesOfUsers(tx.db, appId, ids, { action })
    if (action !== 'extend' && action !== 'subtract') return current
    // A level may have been added since.
    const changed = new Map(recorded.map(({ id, after }) => [id, new Set(Object.keys(after.expiry ?? {}))]))
    return new Map(
      [...current].map(([id, { expiry = {} }]) => [
        id,
        { expiry: Object.fromEntries(Object.entries(expiry).filter(([level]) => changed.get(id)?.has(level))) },
      ]),
    )
  },
  async restore(tx, _act, states) {
    const valuesOf = <V>(pick: (state: UserState) => V | undefined): Map<number, V> =>
      new Map(
        states.flatMap(({ id, state }) => {
          const value = pick(state)
          return value === undefined ? [] : [[id, value] as const]
        }),
      )
    const banned = [...valuesOf((state) => state.banned)]
    for (const flag of [0, 1]) {
      const users = banned.filter(([, value]) => value === flag).map(([id]) => ({ id }))
      await setUsersBanned(tx, { appId, users, banned: flag === 1, now })
    }
    await restorePauses(
      tx,
      appId,
      valuesOf(({ pausedAt }) => pausedAt),
    )
    await restoreHwids(
      tx,
      appId,
      valuesOf(({ hwidHash }) => hwidHash),
    )
    const entitlements = [...valuesOf(({ expiry }) => expiry)].flatMap(([id, expiry]) =>
      Object.entries(expiry).map(([level, expires_at]) => ({ user_id: id, level: Number(level), expires_at })),
    )
    await restoreExpiry(tx, appId, entitlements)
    for (const removed of valuesOf(({ entitlement }) => entitlement).values()) {
      if (removed) await restoreEntitlement(tx, removed)
    }
  },
})
