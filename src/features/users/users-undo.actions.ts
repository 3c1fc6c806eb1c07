import type { AuditEvent } from '#contract/audit-events.ts'
import type { Reader, Tx } from '#database/database.ts'
import {
  entitlementGrant,
  entitlementRemoval,
  restoreEntitlement,
  restoreExpiry,
  revokeEntitlements,
} from '#features/entitlements/entitlements.actions.ts'
import {
  type EntitlementRow,
  findEntitlement,
  listEntitlements,
  listSharedRows,
  type RevokedEntitlement,
} from '#features/entitlements/entitlements.reads.ts'
import { resumedEntitlement } from '#features/entitlements/entitlements.rules.ts'
import { lockLevels } from '#features/levels/levels.actions.ts'
import { restoreUserVariable } from '#features/variables/variables.actions.ts'
import { findVariable } from '#features/variables/variables.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import type { UndoActions } from '#server/bulk/undo.ts'
import type { RowStates } from '#server/bulk/undo-log.ts'
import { endSessions } from '../session-store/session-store.actions.ts'
import { restoreHwids, restorePauses, setUsersBanned } from './user-access.actions.ts'
import { restoreEmails } from './users.actions.ts'
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
  /** Before and after an end is set: what entitlements of several licenses consist of, by level. */
  held?: Record<string, string>
  /** The entitlement to be removed; null once it is. */
  entitlement?: EntitlementRow | null
  /** Start of the pause in which it is removed. */
  removedInPause?: number
  /** The entitlement of a level to be granted, which an expired one may precede. */
  grant?: { level: number; row: EntitlementRow | null }
  variable?: VariableState
}

/** Compares what was removed from locked users with its licenses, which belong to a later feature. */
export interface LicensedByNow {
  /** What is left of these subscriptions, and what waits for licenses that don't exist. */
  read: (
    tx: Tx,
    removed: readonly { row: EntitlementRow; user: User }[],
  ) => Promise<{ subscriptions: EntitlementRow[]; waiting: RevokedEntitlement[] }>
  /** Deleted licenses give it when they come back. */
  keep: (tx: Tx, waiting: readonly RevokedEntitlement[]) => Promise<void>
}

interface VariableState {
  name: string
  /** Null once it is deleted. */
  data: string | null
  updatedAt: number | null
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
  const held = action === 'extend' ? await heldShares(db, appId, ids, level) : new Map<number, UserState>()
  const stateOf = (user: User): UserState => {
    const expiry = Object.fromEntries((byUser.get(user.id) ?? []).map((row) => [row.level, row.expires_at]))
    return { ...Object.fromEntries(names.map((name) => [name, readState[name](user, expiry)])), ...held.get(user.id) }
  }
  return new Map(users.map((user) => [user.id, stateOf(user)]))
}

/** What a later end settles. */
async function heldShares(
  db: Reader,
  appId: string,
  ids: readonly number[],
  level: number | undefined,
): Promise<Map<number, UserState>> {
  const rows = (await listSharedRows(db, appId, ids)).filter((row) => level === undefined || row.level === level)
  const byUser = Map.groupBy(rows, (row) => row.user_id)
  const entriesOf = (of: typeof rows) => of.flatMap((row) => (row.shares ? [[row.level, row.shares] as const] : []))
  return new Map([...byUser].map(([id, of]) => [id, { held: Object.fromEntries(entriesOf(of)) }]))
}

/** Current values of the fields that `edit` has. */
export const editedState = (user: User, edit: { email?: unknown; hwidHash?: unknown }): UserState => ({
  ...(edit.email !== undefined && { email: user.email }),
  ...(edit.hwidHash !== undefined && { hwidHash: user.hwid_hash }),
})

/**
 * Current state in place of removed or granted entitlements. A deleted level matches nothing, nor does a removed one whose
 * licenses don't exist.
 */
async function statesOfEntitlements(
  tx: Tx,
  { app: { id: appId }, now }: AppContext,
  recorded: readonly RowStates<UserState>[],
  licensed: LicensedByNow,
): Promise<Map<number, UserState>> {
  const states = new Map<number, UserState>()
  const users = new Map((await findUsersById(tx.db, appId, idsOf(recorded))).map((user) => [user.id, user]))
  const levelOf = ({ before }: RowStates<UserState>) => before.grant?.level ?? before.entitlement?.level
  const existing = await lockLevels(
    tx,
    appId,
    recorded.flatMap((each) => levelOf(each) ?? []),
  )
  for (const each of recorded) {
    const { id, before } = each
    const level = levelOf(each)
    const user = users.get(id)
    if (level === undefined || !user || !existing.has(level)) continue
    if (!before.grant) {
      const removed = removedRows([{ id, state: before }], users, now)
      if ((await licensed.read(tx, removed)).subscriptions.length === 0) continue
    }
    const row = (await findEntitlement(tx.db, { appId, userId: id, level })) ?? null
    states.set(id, before.grant ? { grant: { level, row } } : { entitlement: row })
  }
  return states
}

/** The entitlements that these users get back, with the time that was left in a pause. */
const removedRows = (
  states: readonly { id: number; state: UserState }[],
  users: ReadonlyMap<number, User>,
  now: number,
): { row: EntitlementRow; user: User }[] =>
  states.flatMap(({ id, state: { entitlement, removedInPause, grant } }) => {
    const [row, user] = [entitlement ?? grant?.row, users.get(id)]
    return row && user ? [{ row: resumedEntitlement({ ...row, paused_at: removedInPause }, user, now), user }] : []
  })

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

export async function variableState(
  db: Reader,
  key: { appId: string; userId: number; name: string },
): Promise<UserState> {
  const row = await findVariable(db, key)
  return { variable: { name: key.name, data: row?.data ?? null, updatedAt: row?.updated_at ?? null } }
}

async function statesOfVariables(
  db: Reader,
  appId: string,
  recorded: readonly RowStates<UserState>[],
): Promise<Map<number, UserState>> {
  const states = new Map<number, UserState>()
  for (const { id, after } of recorded) {
    if (after.variable) states.set(id, await variableState(db, { appId, userId: id, name: after.variable.name }))
  }
  return states
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
const variableEdit = 'user.update-variable' satisfies AuditEvent

/** Undoes any action on users except deletions and new passwords. */
export const undoUserActions = (context: AppContext, licensed: LicensedByNow): UndoActions<UserState> => ({
  events: [...(Object.keys(actionOf) as AuditEvent[]), entitlementGrant, entitlementRemoval, edit, variableEdit],
  noun: 'users',
  async lock(tx, _act, ids) {
    const users = await lockUserRows(tx.db, context.app.id, { ids })
    return users.map(({ id, username: name }) => ({ id, name }))
  },
  async snapshot(tx, act, recorded) {
    const appId = context.app.id
    const action = actionOf[act]
    if (act === edit) return statesOfEdits(tx.db, appId, recorded)
    if (act === variableEdit) return statesOfVariables(tx.db, appId, recorded)
    if (!action) return statesOfEntitlements(tx, context, recorded, licensed)
    const current = await statesOfUsers(tx.db, appId, idsOf(recorded), { action })
    return action === 'extend' || action === 'subtract' ? onChangedLevels(current, recorded) : current
  },
  async restore(tx, act, states) {
    await restoreBans(tx, context, valuesOf(states, 'banned'))
    await restoreFields(tx, context, { act, states })
    await restoreTime(tx, context.app.id, states)
    await restoreRemoved(tx, context, states, licensed)
  },
})

/** Without the levels that were added since, and without what was not recorded. */
function onChangedLevels(
  current: ReadonlyMap<number, UserState>,
  recorded: readonly RowStates<UserState>[],
): Map<number, UserState> {
  const changed = new Map(recorded.map(({ id, after }) => [id, after]))
  const within = <V>(values: Record<string, V>, levels: object | undefined): Record<string, V> =>
    Object.fromEntries(Object.entries(values).filter(([level]) => levels !== undefined && level in levels))
  return new Map(
    [...current].map(([id, { expiry = {}, held = {} }]) => {
      const after = changed.get(id)
      return [id, { expiry: within(expiry, after?.expiry), ...(after?.held && { held: within(held, after.held) }) }]
    }),
  )
}

type StatesById = readonly { id: number; state: UserState }[]

/** Values of a field, by user; of users whose state has it. */
function valuesOf<K extends keyof UserState>(
  states: StatesById,
  field: K,
): Map<number, Exclude<UserState[K], undefined>> {
  const values = new Map<number, Exclude<UserState[K], undefined>>()
  for (const { id, state } of states) {
    const value = state[field]
    if (value !== undefined) values.set(id, value as Exclude<UserState[K], undefined>)
  }
  return values
}

async function restoreBans(
  tx: Tx,
  { app: { id: appId }, now }: AppContext,
  banned: ReadonlyMap<number, number>,
): Promise<void> {
  for (const flag of [0, 1]) {
    const users = [...banned].filter(([, value]) => value === flag).map(([id]) => ({ id }))
    await setUsersBanned(tx, { appId, users, banned: flag === 1, now })
  }
}

/** Machines, emails and variables. */
async function restoreFields(
  tx: Tx,
  context: AppContext,
  { act, states }: { act: AuditEvent; states: StatesById },
): Promise<void> {
  const appId = context.app.id
  const hwids = valuesOf(states, 'hwidHash')
  await restoreHwids(tx, appId, hwids)
  // The machine that an edit bound may be signed in.
  if (act === edit && hwids.size > 0) await endSessions(tx, { appId, userIds: [...hwids.keys()] }, 'SESSION_ENDED')
  await restoreEmails(tx, context, valuesOf(states, 'email'))
  for (const [userId, { name, data, updatedAt }] of valuesOf(states, 'variable')) {
    if (data !== null && updatedAt !== null)
      await restoreUserVariable(tx, { appId, userId, name, data, now: updatedAt })
  }
}

/** Pauses and expiry, and the end of entitlements that were granted. */
async function restoreTime(tx: Tx, appId: string, states: StatesById): Promise<void> {
  await restorePauses(tx, appId, valuesOf(states, 'pausedAt'))
  const expiry = states.flatMap(({ id: user_id, state: { expiry: byLevel = {}, held } }) =>
    Object.entries(byLevel).map(([level, expires_at]) => ({
      user_id,
      level: Number(level),
      expires_at,
      held: held?.[level],
    })),
  )
  await restoreExpiry(tx, appId, expiry)
  const grants = [...valuesOf(states, 'grant')].map(([user_id, { level }]) => ({ user_id, level }))
  await revokeEntitlements(tx, appId, grants)
}

async function restoreRemoved(
  tx: Tx,
  { app, now }: AppContext,
  states: StatesById,
  licensed: LicensedByNow,
): Promise<void> {
  const removals = states.filter(({ state: { entitlement, grant } }) => entitlement ?? grant?.row)
  if (removals.length === 0) return
  const ids = removals.map(({ id }) => id)
  const users = new Map((await findUsersById(tx.db, app.id, ids)).map((user) => [user.id, user]))
  const { subscriptions, waiting } = await licensed.read(tx, removedRows(removals, users, now))
  for (const row of subscriptions) await restoreEntitlement(tx, row)
  await licensed.keep(tx, waiting)
}
