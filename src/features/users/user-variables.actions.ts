import type { Reader, Tx } from '#database/database.ts'
import { refuse } from '#contract/refusals.ts'
import {
  countVariables,
  deleteVariable,
  insertVariable,
  listVariables,
  updateVariable,
  type UserVariable,
} from './user-variables.queries.ts'
import { maxUserVariables, userVariableProblem } from './user-variables.rules.ts'
import type { User } from './users.queries.ts'
import { userVariablesRefusals } from './users.refusals.ts'

export type { UserVariable }

interface NewVariable {
  name: string
  data: string
  now: number
}

export const variablesOf = (db: Reader, user: User): Promise<UserVariable[]> =>
  listVariables(db, user.app_id, [user.id])

/** Gives a held user a variable of a new name. */
export async function createUserVariable(tx: Tx, user: User, { name, data, now }: NewVariable): Promise<void> {
  checkVariable(name, data)
  const { app_id: appId, id: userId } = user
  if ((await countVariables(tx.db, appId, userId)) >= maxUserVariables) {
    refuse(userVariablesRefusals, 'VARIABLE_LIMIT_REACHED', { fill: { limit: maxUserVariables } })
  }
  if (!(await insertVariable(tx.db, { appId, userId, name, data, now })))
    refuse(userVariablesRefusals, 'VARIABLE_EXISTS')
}

export async function updateUserVariable(tx: Tx, user: User, { name, data, now }: NewVariable): Promise<void> {
  checkVariable(name, data)
  const updated = await updateVariable(tx.db, { appId: user.app_id, userId: user.id, name, data, now })
  if (!updated) refuse(userVariablesRefusals, 'VARIABLE_NOT_FOUND')
}

export async function deleteUserVariable(tx: Tx, user: User, name: string): Promise<void> {
  const deleted = await deleteVariable(tx.db, { appId: user.app_id, userId: user.id, name })
  if (!deleted) refuse(userVariablesRefusals, 'VARIABLE_NOT_FOUND')
}

function checkVariable(name: string, data: string): void {
  const problem = userVariableProblem(name, data)
  if (problem) refuse(userVariablesRefusals, 'VARIABLE_INVALID', { fill: { problem } })
}
