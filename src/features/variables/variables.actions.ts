import { type CallError, callError, reject, rejectProblem } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { requireQuota, roomInQuota } from '#features/apps/apps.actions.ts'
import { requirePlanFeature, withoutPlanFeature } from '#features/plans/plans.actions.ts'
import { type AppContext, recordAudit } from '#server/audit/audit.ts'
import { changesOf } from '#server/audit/changes.ts'
import { type DeletedRow, newDeletion, putInBin } from '#server/bin/bin-items.ts'
import { editedFields, rejectFieldConflict } from '#server/bulk/field-conflict.ts'
import { newOperation, recordUndo } from '#server/bulk/undo-log.ts'
import { appVariableState, variableEdit } from './variables-undo.actions.ts'
import {
  type AppVariable,
  countAppVariablesTo,
  countVariables,
  findVariable,
  type UserVariable,
} from './variables.reads.ts'
import { variablesErrors } from './variables.errors.ts'
import { maxUserVariables, variableProblem } from './variables.rules.ts'
import {
  deleteAppVariables,
  deleteByUsers,
  deleteVariable,
  insertAppVariable,
  insertDeletedVariable,
  insertVariable,
  insertVariables,
  lockAppVariable,
  lockAppVariables,
  updateAppVariable,
  updateVariable,
} from './variables.writes.ts'

/** The end user who owns the variable, locked by the transaction. */
interface VariableOwner {
  id: number
  username: string
}

interface Variable {
  name: string
  data: string
}

interface VariableBefore {
  /** The data that the caller last saw. */
  before?: { variableData?: string | undefined } | undefined
}

/** Creates a user variable; rejects if the name exists. */
export async function createUserVariable(
  tx: Tx,
  context: AppContext,
  user: VariableOwner,
  { name: given, data }: Variable,
): Promise<void> {
  const name = given.trim()
  rejectProblem(variablesErrors, variableProblem(name, data))
  const { app, now } = context
  if ((await countVariables(tx.db, app.id, user.id)) >= maxUserVariables) {
    reject(variablesErrors, 'VARIABLE_LIMIT_REACHED', { values: { limit: maxUserVariables } })
  }
  const inserted = await insertVariable(tx.db, { appId: app.id, userId: user.id, name, data, now })
  if (!inserted) reject(variablesErrors, 'VARIABLE_EXISTS', { details: { field: 'variableName' } })
  await recordAudit(tx, context, { act: 'user.create-variable', target: user.username, details: { name } })
}

export interface VariableEdit extends Variable, VariableBefore {
  /** ID of the undo record. */
  operation?: string | undefined
}

export async function updateUserVariable(
  tx: Tx,
  context: AppContext,
  user: VariableOwner,
  { name: given, data, before, operation }: VariableEdit,
): Promise<void> {
  const name = given.trim()
  rejectProblem(variablesErrors, variableProblem(name, data))
  const { app, now } = context
  const key = { appId: app.id, userId: user.id, name }
  const current = (await findVariable(tx.db, key)) ?? reject(variablesErrors, 'VARIABLE_NOT_FOUND')
  rejectFieldConflict({ before, change: { variableData: data } }, { variableData: current.data })
  await updateVariable(tx.db, { ...key, data, now })
  await recordAudit(tx, context, {
    act: 'user.update-variable',
    target: user.username,
    details: { name },
    // Data of one customer.
    changes: changesOf({ variableData: current.data }, { variableData: data }, { hidden: ['variableData'] }),
    operations: operation === undefined ? [] : [operation],
  })
}

/** Restores the data of a variable of a locked user, and the time of that data. */
export const restoreUserVariable = (tx: Tx, variable: Parameters<typeof updateVariable>[1]): Promise<void> =>
  updateVariable(tx.db, variable)

/** Creates or updates the user variable; returns true if it was created. */
export async function setUserVariable(
  tx: Tx,
  context: AppContext,
  user: VariableOwner,
  variable: Variable,
): Promise<boolean> {
  const current = await findVariable(tx.db, { appId: context.app.id, userId: user.id, name: variable.name.trim() })
  await (current ? updateUserVariable : createUserVariable)(tx, context, user, variable)
  return current === undefined
}

export async function deleteUserVariable(
  tx: Tx,
  context: AppContext,
  user: VariableOwner,
  given: string,
): Promise<void> {
  const name = given.trim()
  const deleted = await deleteVariable(tx.db, { appId: context.app.id, userId: user.id, name })
  if (!deleted) reject(variablesErrors, 'VARIABLE_NOT_FOUND')
  await recordAudit(tx, context, { act: 'user.delete-variable', target: user.username, details: { name } })
}

/** For users who are being deleted. */
export const deleteVariablesOfUsers = (tx: Tx, appId: string, userIds: readonly number[]): Promise<number> =>
  deleteByUsers(tx.db, appId, userIds)

/** For deleted users who are being restored. */
export const restoreVariablesOfUsers = (tx: Tx, variables: readonly UserVariable[]): Promise<void> =>
  insertVariables(tx.db, variables)

export interface AppVariableChange {
  name: string
  data: string
  /** If omitted, an existing variable keeps its value; a new one is only for signed-in programs. */
  authenticated?: boolean | undefined
  /** Rejects if the variable exists. */
  mustBeNew?: boolean | undefined
  /** The values that the caller saw of what it edits; the rest stays. Rejects if the variable doesn't exist. */
  before?: object | undefined
}

interface VariableResult {
  isNew: boolean
  undoId: string | null
}

/** Creates or updates the app variable. `undoId` takes a change back. */
export async function setAppVariable(tx: Tx, context: AppContext, change: AppVariableChange): Promise<VariableResult> {
  const { data, mustBeNew } = change
  const name = change.name.trim()
  rejectProblem(variablesErrors, variableProblem(name, data))
  const { app, now } = context
  const taken = () => reject(variablesErrors, 'VARIABLE_EXISTS', { details: { field: 'variableName' } })
  const current = await lockAppVariable(tx.db, app.id, name)
  if (current) return mustBeNew ? taken() : changeAppVariable(tx, context, current, change)
  // The caller edits one that was deleted since.
  if (change.before) reject(variablesErrors, 'VARIABLE_NOT_FOUND')
  await requirePlanFeature(tx.db, { ownerId: app.ownerId, feature: 'custom_variables', now })
  await requireQuota(tx, {
    appId: app.id,
    kind: 'variablesPerApp',
    adding: 1,
    now,
    count: (limit) => countAppVariablesTo(tx.db, app.id, limit),
    reject: (limit) => reject(variablesErrors, 'APP_VARIABLE_LIMIT_REACHED', { values: { limit } }),
  })
  const row = { appId: app.id, name, data, authenticated: change.authenticated ?? true, now }
  if (!(await insertAppVariable(tx.db, row))) {
    // A concurrent transaction created it.
    const created = mustBeNew ? undefined : await lockAppVariable(tx.db, app.id, name)
    return created ? changeAppVariable(tx, context, created, change) : taken()
  }
  await recordAudit(tx, context, { act: 'variable.create', target: name })
  return { isNew: true, undoId: null }
}

/** Changes a locked variable. */
async function changeAppVariable(
  tx: Tx,
  context: AppContext,
  current: AppVariable,
  { data, ...change }: AppVariableChange,
): Promise<VariableResult> {
  const { app, now } = context
  const { name } = current
  const stored = { variableData: current.data, authenticated: current.authenticated === 1 }
  const wanted = { variableData: data, authenticated: change.authenticated ?? stored.authenticated }
  rejectFieldConflict({ before: change.before, change: wanted }, stored)
  const edited = editedFields({ before: change.before, change: wanted }, stored)
  const { authenticated } = edited
  await updateAppVariable(tx.db, { appId: app.id, name, data: edited.variableData, authenticated, now })
  const newId = newOperation()
  const isPublic = !authenticated && !stored.authenticated
  const changes = changesOf(stored, edited, { hidden: isPublic ? [] : ['variableData'] })
  await recordAudit(tx, context, { act: variableEdit, target: name, changes, operations: [newId] })
  const before = appVariableState(current)
  const after = appVariableState({
    data: edited.variableData,
    authenticated: authenticated ? 1 : 0,
    updated_at: now,
  })
  const states = Object.keys(changes).length === 0 ? [] : [{ id: Number(current.id), before, after }]
  const undoId = await recordUndo(tx, context, { act: variableEdit, undoId: undefined, newId, states })
  return { isNew: false, undoId }
}

export type DeletedVariable = Omit<AppVariable, 'id' | 'app_id'>

async function putVariablesInBin(
  tx: Tx,
  context: AppContext,
  variables: readonly AppVariable[],
  operation: string,
): Promise<void> {
  const rows = variables.map(({ id, app_id: _app, ...content }): DeletedRow<DeletedVariable> => ({
    id,
    name: content.name,
    content,
  }))
  await putInBin(tx, context, { kind: 'variable', operation, rows })
  const names = variables.map(({ name }) => name)
  await deleteAppVariables(tx.db, context.app.id, names)
}

/** Deletes a variable; `operation` identifies the deletion in the bin. */
export async function deleteAppVariable(
  tx: Tx,
  context: AppContext,
  name: string,
  operation = newDeletion(),
): Promise<void> {
  const variables = await lockAppVariables(tx.db, context.app.id, [name.trim()])
  if (variables.length === 0) reject(variablesErrors, 'VARIABLE_NOT_FOUND')
  await putVariablesInBin(tx, context, variables, operation)
  await recordAudit(tx, context, { act: 'variable.delete', target: name.trim(), operations: [operation] })
}

/** Deletes the given variables that exist and returns their number. */
export async function deleteManyAppVariables(
  tx: Tx,
  context: AppContext,
  names: readonly string[],
  operation: string,
): Promise<number> {
  const variables = await lockAppVariables(tx.db, context.app.id, names)
  await putVariablesInBin(tx, context, variables, operation)
  const existing = variables.map(({ name }) => name)
  const target = { noun: 'variables', names: existing }
  await recordAudit(tx, context, { act: 'variable.bulk-delete', target, operations: [operation] })
  return existing.length
}

/** Restores deleted variables as far as names and the plan allow; returns the reasons for the others. */
export async function restoreAppVariables(
  tx: Tx,
  { app, now }: AppContext,
  deleted: readonly DeletedRow<DeletedVariable>[],
): Promise<Map<number, CallError>> {
  const problems = await withoutPlanFeature(tx.db, { ownerId: app.ownerId, feature: 'custom_variables', now }, deleted)
  if (problems.size > 0) return problems
  const { room, limit } = await roomInQuota(tx, {
    appId: app.id,
    kind: 'variablesPerApp',
    now,
    count: (max) => countAppVariablesTo(tx.db, app.id, max),
  })
  let left = room
  for (const { id, content } of deleted) {
    if (left <= 0) problems.set(id, callError(variablesErrors, 'APP_VARIABLE_LIMIT_REACHED', { values: { limit } }))
    else if (await insertDeletedVariable(tx.db, { ...content, id, app_id: app.id })) left -= 1
    else problems.set(id, callError(variablesErrors, 'VARIABLE_EXISTS'))
  }
  return problems
}
