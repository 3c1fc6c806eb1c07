import type { AuditEvent } from '#contract/audit-events.ts'
import type { Reader, Tx } from '#database/database.ts'
import {
  changeEntitlement,
  type EntitlementChange,
  entitlementGrant,
  entitlementRemoval,
  extendUser,
  grantEntitlement,
  removeEntitlement,
  restoreEntitlement,
  restoreExpiry,
  revokeEntitlements,
  subtractFromUser,
} from '#features/entitlements/entitlements.actions.ts'
import {
  type Entitlement,
  type EntitlementRow,
  findEntitlement,
  listEntitlements,
} from '#features/entitlements/entitlements.reads.ts'
import { findLevel } from '#features/levels/levels.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import type { UndoActions } from '#server/bulk/bulk.ts'
import { changeUndoably, newOperation, recordUndo, type RowStates } from '#server/bulk/undo-log.ts'
import { endSessions } from '../session-store/session-store.actions.ts'
import {
  editUser,
  lockUser,
  pauseUser,
  resetUserHwid,
  restoreEmails,
  restoreHwids,
  restorePauses,
  setUsersBanned,
  type UserChange,
} from './users.actions.ts'
import { findUsersById, type User } from './users.reads.ts'
import { lockUserRows } from './users.writes.ts'

/** State needed to undo an action on a user: only the columns it changes. */
export interface UserState {
  banned?: number
  pausedAt?: number | null
  hwidHash?: string | null
  email?: string
  /** Expiry of entitlements, by level. */
  expiry?: Record<string, number | null>
  /** The entitlement to be removed; null once it is. */
  entitlement?: EntitlementRow | null
  /** The entitlement of a level to be granted, which an expired one may precede. */
  grant?: { level: number; row: EntitlementRow | null }
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
  email: ({ email }: User) => email,
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

/** Current state of one user, for `changeUndoably`. */
const stateOfUser =
  (tx: Tx, user: User, choice: { action: UndoableAction; level?: number | undefined }) =>
  async (): Promise<UserState> =>
    (await statesOfUsers(tx.db, user.app_id, [user.id], choice)).get(user.id) ?? {}

/** Pauses or unpauses one user, so that undo restores the time of the pause and every expiry to the second. */
export async function pauseUserUndoably(
  tx: Tx,
  context: AppContext,
  user: User,
  paused: boolean | undefined,
): Promise<{ user: User; undoId: string | null }> {
  const action = user.paused === 1 ? 'unpause' : 'pause'
  const undoable = { act: `user.${action}` as const, id: user.id, state: stateOfUser(tx, user, { action }) }
  const { result, undoId } = await changeUndoably(tx, context, undoable, (operation) =>
    pauseUser(tx, context, { username: user.username, paused, operation }),
  )
  return { user: result, undoId }
}

/** Unbinds the machine of one user. */
export async function resetHwidUndoably(
  tx: Tx,
  context: AppContext,
  username: string,
): Promise<{ user: User; undoId: string | null }> {
  const user = await lockUser(tx, context.app.id, username)
  const state = stateOfUser(tx, user, { action: 'reset-hwid' })
  const { result, undoId } = await changeUndoably(
    tx,
    context,
    { act: 'user.reset-hwid', id: user.id, state },
    (operation) => resetUserHwid(tx, context, username, [operation]),
  )
  return { user: result, undoId }
}

/** Edits one user. A new password can't be taken back, and neither can what is saved together with it. */
export async function editUserUndoably(
  tx: Tx,
  context: AppContext,
  form: UserChange,
): Promise<{ user: User; undoId: string | null }> {
  if (form.passwordHash !== undefined) return { user: await editUser(tx, context, form), undoId: null }
  const { app_id: appId, id } = await lockUser(tx, context.app.id, form.username)
  const state = async (): Promise<UserState> => {
    const [user] = await findUsersById(tx.db, appId, [id])
    return user ? editedState(user, { email: form.email, hwidHash: form.hwid }) : {}
  }
  const { result, undoId } = await changeUndoably(tx, context, { act: 'user.edit', id, state }, (operation) =>
    editUser(tx, context, { ...form, operation }),
  )
  return { user: result, undoId }
}

/** Current values of the fields that `edit` has. */
const editedState = (user: User, edit: { email?: unknown; hwidHash?: unknown }): UserState => ({
  ...(edit.email !== undefined && { email: user.email }),
  ...(edit.hwidHash !== undefined && { hwidHash: user.hwid_hash }),
})

/** Grants a locked user a level; undo takes it back, and restores an expired one. */
export async function grantUndoably(
  tx: Tx,
  context: AppContext,
  user: User,
  grant: { level: number; days: number },
): Promise<{ entitlement: Entitlement; undoId: string | null }> {
  const { level } = grant
  const state = async (): Promise<UserState> => ({
    grant: { level, row: (await findEntitlement(tx.db, { appId: user.app_id, userId: user.id, level })) ?? null },
  })
  const { result, undoId } = await changeUndoably(
    tx,
    context,
    { act: entitlementGrant, id: user.id, state },
    (operation) => grantEntitlement(tx, context, user, { ...grant, operation }),
  )
  return { entitlement: result, undoId }
}

/** Changes when an entitlement of a locked user ends. */
export async function changeEntitlementUndoably(
  tx: Tx,
  context: AppContext,
  user: User,
  change: EntitlementChange & { level: number },
): Promise<{ entitlement: Entitlement; undoId: string | null }> {
  const state = stateOfUser(tx, user, { action: 'extend', level: change.level })
  const { result, undoId } = await changeUndoably(
    tx,
    context,
    { act: 'user.update-subscription', id: user.id, state },
    (operation) => changeEntitlement(tx, context, user, { ...change, operation }),
  )
  return { entitlement: result, undoId }
}

/** Adds time to a level of a locked user. */
export async function extendUserUndoably(
  tx: Tx,
  context: AppContext,
  user: User,
  time: { level: number; seconds: number; withExpired: boolean },
): Promise<void> {
  const state = stateOfUser(tx, user, { action: 'extend', level: time.level })
  await changeUndoably(tx, context, { act: 'user.extend', id: user.id, state }, (operation) =>
    extendUser(tx, context, user, { ...time, operation }),
  )
}

/** Subtracts time from one or all levels of a locked user. */
export async function subtractUndoably(
  tx: Tx,
  context: AppContext,
  user: User,
  time: { level: number | undefined; seconds: number },
): Promise<void> {
  const state = stateOfUser(tx, user, { action: 'subtract', level: time.level })
  await changeUndoably(tx, context, { act: 'user.subtract', id: user.id, state }, (operation) =>
    subtractFromUser(tx, context, user, { ...time, operation }),
  )
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

/** Current state in place of removed or granted entitlements; a deleted level matches nothing. */
async function statesOfEntitlements(
  db: Reader,
  appId: string,
  recorded: readonly RowStates<UserState>[],
): Promise<Map<number, UserState>> {
  const states = new Map<number, UserState>()
  const users = new Set((await findUsersById(db, appId, idsOf(recorded))).map(({ id }) => id))
  for (const { id, before } of recorded) {
    const level = before.grant?.level ?? before.entitlement?.level
    if (level === undefined || !users.has(id) || !(await findLevel(db, appId, level))) continue
    const row = (await findEntitlement(db, { appId, userId: id, level })) ?? null
    states.set(id, before.grant ? { grant: { level, row } } : { entitlement: row })
  }
  return states
}

/** Current values of the fields that edits have changed. */
async function statesOfEdits(
  db: Reader,
  appId: string,
  recorded: readonly RowStates<UserState>[],
): Promise<Map<number, UserState>> {
  const edits = new Map(recorded.map(({ id, after }) => [id, after]))
  const users = await findUsersById(db, appId, idsOf(recorded))
  return new Map(users.map((user) => [user.id, editedState(user, edits.get(user.id) ?? {})]))
}

const idsOf = (recorded: readonly RowStates<UserState>[]): number[] => recorded.map(({ id }) => id)

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
  'user.update-subscription': 'extend',
  'user.bulk-extend': 'extend',
  'user.subtract': 'subtract',
  'user.bulk-subtract': 'subtract',
}

const edit = 'user.edit' satisfies AuditEvent

/** Undoes any action on users except deletions and new passwords. */
export const undoUserActions = ({ app: { id: appId }, now }: AppContext): UndoActions<UserState> => ({
  events: [...(Object.keys(actionOf) as AuditEvent[]), entitlementGrant, entitlementRemoval, edit],
  noun: 'users',
  lock: async (tx, _act, ids) =>
    (await lockUserRows(tx.db, appId, { ids })).map(({ id, username: name }) => ({ id, name })),
  async snapshot(tx, act, recorded) {
    const action = actionOf[act]
    if (act === edit) return statesOfEdits(tx.db, appId, recorded)
    if (!action) return statesOfEntitlements(tx.db, appId, recorded)
    const current = await statesOfUsers(tx.db, appId, idsOf(recorded), { action })
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
  async restore(tx, act, states) {
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
    const hwids = valuesOf(({ hwidHash }) => hwidHash)
    await restoreHwids(tx, appId, hwids)
    // The machine that an edit bound may be signed in.
    if (act === edit && hwids.size > 0) await endSessions(tx, { appId, userIds: [...hwids.keys()] }, 'SESSION_ENDED')
    await restoreEmails(
      tx,
      appId,
      valuesOf(({ email }) => email),
    )
    const entitlements = [...valuesOf(({ expiry }) => expiry)].flatMap(([id, expiry]) =>
      Object.entries(expiry).map(([level, expires_at]) => ({ user_id: id, level: Number(level), expires_at })),
    )
    await restoreExpiry(tx, appId, entitlements)
    const grants = [...valuesOf(({ grant }) => grant)]
    await revokeEntitlements(
      tx,
      appId,
      grants.map(([user_id, { level }]) => ({ user_id, level })),
    )
    for (const removed of [
      ...valuesOf(({ entitlement }) => entitlement).values(),
      ...grants.map(([, { row }]) => row),
    ]) {
      if (removed) await restoreEntitlement(tx, removed)
    }
  },
})
