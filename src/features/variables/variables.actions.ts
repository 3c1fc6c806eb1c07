import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { countVariables } from './variables.reads.ts'
import { variablesRefusals } from './variables.refusals.ts'
import { maxUserVariables, userVariableProblem } from './variables.rules.ts'
import { deleteByUsers, deleteVariable, insertVariable, updateVariable } from './variables.writes.ts'

/** The end user whose variable it is. */
interface VariableOwner {
  app_id: string
  id: number
}

interface NewVariable {
  name: string
  data: string
  now: number
}

/** Gives a locked user a variable of a new name. */
export async function createUserVariable(tx: Tx, user: VariableOwner, { name, data, now }: NewVariable): Promise<void> {
  checkVariable(name, data)
  const { app_id: appId, id: userId } = user
  if ((await countVariables(tx.db, appId, userId)) >= maxUserVariables) {
    refuse(variablesRefusals, 'VARIABLE_LIMIT_REACHED', { values: { limit: maxUserVariables } })
  }
  if (!(await insertVariable(tx.db, { appId, userId, name, data, now }))) refuse(variablesRefusals, 'VARIABLE_EXISTS')
}

export async function updateUserVariable(tx: Tx, user: VariableOwner, { name, data, now }: NewVariable): Promise<void> {
  checkVariable(name, data)
  const updated = await updateVariable(tx.db, { appId: user.app_id, userId: user.id, name, data, now })
  if (!updated) refuse(variablesRefusals, 'VARIABLE_NOT_FOUND')
}

export async function deleteUserVariable(tx: Tx, user: VariableOwner, name: string): Promise<void> {
  const deleted = await deleteVariable(tx.db, { appId: user.app_id, userId: user.id, name })
  if (!deleted) refuse(variablesRefusals, 'VARIABLE_NOT_FOUND')
}

function checkVariable(name: string, data: string): void {
  const problem = userVariableProblem(name, data)
  if (problem) refuse(variablesRefusals, 'VARIABLE_INVALID', { values: { problem } })
}

/** For users who are being deleted. */
export const deleteVariablesOfUsers = (tx: Tx, appId: string, userIds: readonly number[]): Promise<void> =>
  deleteByUsers(tx.db, appId, userIds)
