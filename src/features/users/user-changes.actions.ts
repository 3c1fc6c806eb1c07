import type { Tx } from '#database/database.ts'
import {
  changeEntitlement,
  type EntitlementChange,
  entitlementGrant,
  entitlementRemoval,
  extendUser,
  grantEntitlement,
  removeEntitlement,
  subtractFromUser,
} from '#features/entitlements/entitlements.actions.ts'
import { type Entitlement, findEntitlement } from '#features/entitlements/entitlements.reads.ts'
import { pausesOf } from '#features/entitlements/entitlements.rules.ts'
import { updateUserVariable, type VariableEdit } from '#features/variables/variables.actions.ts'
import { findVariable } from '#features/variables/variables.reads.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { changeUndoably, newOperation, recordUndo, type RowStates } from '#server/bulk/undo-log.ts'
import { pauseUser, resetUserHwid } from './user-access.actions.ts'
import { editUser, lockUser, type UserChange } from './users.actions.ts'
import { findUsersById, type User } from './users.reads.ts'
import { editedState, statesOfUsers, type UndoableAction, type UserState, variableState } from './users-undo.actions.ts'

/** Changes of one user that undo takes back: they return the ID of their undo record, or null if nothing changed. */

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

/**
 * Edits one user. A new password can't be taken back, and neither can what is saved together with it. A field that is sent
 * as it is already isn't recorded: its undo would end sessions, or be rejected after a change by somebody else.
 */
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
  const newId = newOperation()
  const before = await state()
  const user = await editUser(tx, context, { ...form, operation: newId })
  const after = await state()
  const fields = (['email', 'hwidHash'] as const).filter((field) => before[field] !== after[field])
  const of = (whole: UserState): UserState => Object.fromEntries(fields.map((field) => [field, whole[field]]))
  const states = fields.length > 0 ? [{ id, before: of(before), after: of(after) }] : []
  return { user, undoId: await recordUndo(tx, context, { act: 'user.edit', undoId: undefined, newId, states }) }
}

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
  const removedInPause = pausesOf([user], context.now)[user.id]
  const before: UserState = { entitlement, ...(removedInPause !== undefined && { removedInPause }) }
  const states: RowStates<UserState>[] = [{ id: user.id, before, after: { entitlement: null } }]
  return recordUndo(tx, context, { act: entitlementRemoval, undoId: undefined, newId, states })
}

/** Changes a variable of a locked user. */
export async function updateVariableUndoably(
  tx: Tx,
  context: AppContext,
  user: User,
  edit: VariableEdit,
): Promise<string | null> {
  const key = { appId: user.app_id, userId: user.id, name: edit.name }
  const current = await findVariable(tx.db, key)
  // Storing the same data again is no change.
  if (!current || current.data === edit.data) {
    await updateUserVariable(tx, context, user, edit)
    return null
  }
  const state = () => variableState(tx.db, key)
  const undoable = { act: 'user.update-variable' as const, id: user.id, state }
  const { undoId } = await changeUndoably(tx, context, undoable, (operation) =>
    updateUserVariable(tx, context, user, { ...edit, operation }),
  )
  return undoId
}
