import type { Transaction } from '#database/database.ts'
import { deleteRows } from '#database/delete-rows.ts'
import { locking } from '#database/row-lock.ts'
import type { AppVariable, UserVariable } from './variables.reads.ts'

interface VariableKey {
  appId: string
  userId: number
  name: string
}

/** Returns false if the user already has a variable of that name. */
export async function insertVariable(
  trx: Transaction,
  { appId, userId, name, data, now }: VariableKey & { data: string; now: number },
): Promise<boolean> {
  const result = await trx
    .insertInto('user_variables')
    .values({ app_id: appId, user_id: userId, name, data, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['app_id', 'user_id', 'name']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export async function updateVariable(
  trx: Transaction,
  { appId, userId, name, data, now }: VariableKey & { data: string; now: number },
): Promise<void> {
  await trx
    .updateTable('user_variables')
    .set({ data, updated_at: now })
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .execute()
}

/** Returns false if there is no variable of that name. */
export async function deleteVariable(trx: Transaction, { appId, userId, name }: VariableKey): Promise<boolean> {
  const result = await trx
    .deleteFrom('user_variables')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

const rowsPerInsert = 500

export async function insertVariables(trx: Transaction, rows: readonly UserVariable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await trx
      .insertInto('user_variables')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute()
  }
}

export const deleteByUsers = (trx: Transaction, appId: string, values: readonly number[]): Promise<number> =>
  deleteRows(trx, 'user_variables', appId, { column: 'user_id', values })

interface AppVariableValues {
  appId: string
  name: string
  data: string
  authenticated: boolean
  now: number
}

/** Returns false if the app already has a variable of that name. */
export async function insertAppVariable(
  trx: Transaction,
  { appId, name, data, authenticated, now }: AppVariableValues,
): Promise<boolean> {
  const result = await trx
    .insertInto('app_variables')
    .values({ app_id: appId, name, data, authenticated: authenticated ? 1 : 0, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['app_id', 'name']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export async function updateAppVariable(
  trx: Transaction,
  { appId, name, data, authenticated, now }: AppVariableValues,
): Promise<void> {
  await trx
    .updateTable('app_variables')
    .set({ data, authenticated: authenticated ? 1 : 0, updated_at: now })
    .where('app_id', '=', appId)
    .where('name', '=', name)
    .execute()
}

/** Gives a variable its former values. */
export async function restoreAppVariable(
  trx: Transaction,
  change: { appId: string; id: number; data: string; authenticated: number; updatedAt: number },
): Promise<void> {
  const { appId, id, data, authenticated, updatedAt } = change
  await trx
    .updateTable('app_variables')
    .set({ data, authenticated, updated_at: updatedAt })
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .execute()
}

/** Locks the variable until the transaction ends, and returns it. */
export const lockAppVariable = (trx: Transaction, appId: string, name: string) =>
  locking(
    trx,
    trx.selectFrom('app_variables').selectAll().where('app_id', '=', appId).where('name', '=', name),
  ).executeTakeFirst()

/** Returns false if the app has a variable of that name again. */
export async function insertDeletedVariable(trx: Transaction, row: AppVariable): Promise<boolean> {
  const result = await trx
    .insertInto('app_variables')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app_id', 'name']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

/** Those of the variables with these names that exist, locked until the transaction ends. */
export async function lockAppVariables(
  trx: Transaction,
  appId: string,
  names: readonly string[],
): Promise<AppVariable[]> {
  if (names.length === 0) return []
  const query = trx
    .selectFrom('app_variables')
    .selectAll()
    .where('app_id', '=', appId)
    .where('name', 'in', [...names])
  return locking(trx, query.orderBy('name')).execute()
}

/** The same by ID. */
export const lockAppVariablesById = (
  trx: Transaction,
  appId: string,
  ids: readonly number[],
): Promise<AppVariable[]> => {
  const query = trx
    .selectFrom('app_variables')
    .selectAll()
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
  return locking(trx, query.orderBy('id')).execute()
}

export const deleteAppVariables = (trx: Transaction, appId: string, values: readonly string[]): Promise<number> =>
  deleteRows(trx, 'app_variables', appId, { column: 'name', values })
