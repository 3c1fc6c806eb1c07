import { countAll } from '#database/count-all.ts'
import { type Selectable, sql } from 'kysely'
import type { SortBy } from '#contract/sort-field.ts'
import type { Reader } from '#database/database.ts'
import { containsText } from '#database/search-source.ts'
import { sortOrder } from '#database/sort-order.ts'
import type { AppVariablesTable, UserVariablesTable } from './variables.table.ts'

export type UserVariable = Selectable<UserVariablesTable>

/** The variables of these users, sorted by name. */
export async function listVariables(db: Reader, appId: string, userIds: readonly number[]): Promise<UserVariable[]> {
  if (userIds.length === 0) return []
  return db
    .selectFrom('user_variables')
    .selectAll()
    .where('app_id', '=', appId)
    .where('user_id', 'in', [...userIds])
    .orderBy('name')
    .execute()
}

export const findVariable = (
  db: Reader,
  { appId, userId, name }: { appId: string; userId: number; name: string },
): Promise<UserVariable | undefined> =>
  db
    .selectFrom('user_variables')
    .selectAll()
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()

export const countVariables = (db: Reader, appId: string, userId: number): Promise<number> =>
  countAll(db.selectFrom('user_variables').where('app_id', '=', appId).where('user_id', '=', userId))

export type AppVariable = Selectable<AppVariablesTable>

export interface AppVariableFilter {
  appId: string
  search?: string | undefined
  /** The whole name. */
  name?: string | undefined
}

function filterAppVariables(db: Reader, { appId, search, name }: AppVariableFilter) {
  const all = db.selectFrom('app_variables').where('app_id', '=', appId)
  const query = name === undefined ? all : all.where('name', '=', name)
  const text = search?.trim() ?? ''
  if (text === '') return query
  return query.where(containsText(sql`name || ' ' || data`, text))
}

export const countAppVariables = (db: Reader, filter: AppVariableFilter): Promise<number> =>
  countAll(filterAppVariables(db, filter))

/** Number of the app's variables, up to `max`; reads at most that many rows. */
export async function countAppVariablesTo(db: Reader, appId: string, max: number): Promise<number> {
  const rows = await db
    .selectFrom('app_variables')
    .select('id')
    .where('app_id', '=', appId)
    .orderBy('name')
    .limit(max)
    .execute()
  return rows.length
}

const sortColumns = { name: 'name', access: 'authenticated', updated: 'updated_at' }

interface AppVariablePage {
  offset?: number
  limit?: number
  sort?: SortBy<keyof typeof sortColumns> | undefined
}

/** Sorted by name by default; without a limit, all of them. */
export const listAppVariables = (
  db: Reader,
  { sort = 'name', ...filter }: AppVariableFilter & AppVariablePage,
): Promise<AppVariable[]> => {
  const sorted = filterAppVariables(db, filter)
    .selectAll()
    .orderBy(...sortOrder(sortColumns, sort))
  // Names are unique in an app.
  const query = sort === 'name' || sort === '-name' ? sorted : sorted.orderBy('name')
  return (filter.limit === undefined ? query : query.limit(filter.limit).offset(filter.offset ?? 0)).execute()
}

/** The next variables after an ID, oldest first. */
export const listAppVariablesAfter = (
  db: Reader,
  filter: AppVariableFilter & { afterId: number; limit: number },
): Promise<AppVariable[]> =>
  filterAppVariables(db, filter)
    .selectAll()
    .where('id', '>', filter.afterId)
    .orderBy('id')
    .limit(filter.limit)
    .execute()

/** Those of these variables that exist, oldest first. */
export const listAppVariablesNamed = (db: Reader, appId: string, names: readonly string[]): Promise<AppVariable[]> =>
  db
    .selectFrom('app_variables')
    .selectAll()
    .where('app_id', '=', appId)
    .where('name', 'in', [...names])
    .orderBy('id')
    .execute()

export const listAppVariablesById = (db: Reader, appId: string, ids: readonly number[]): Promise<AppVariable[]> =>
  db
    .selectFrom('app_variables')
    .selectAll()
    .where('app_id', '=', appId)
    .where('id', 'in', [...ids])
    .execute()

/** Number of variables by app; apps without any are omitted. */
export async function countVariablesOfApps(db: Reader, appIds: readonly string[]): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('app_variables')
    .select((select) => ['app_id', select.fn.countAll<number>().as('n')] as const)
    .where('app_id', 'in', [...appIds])
    .groupBy('app_id')
    .execute()
  return new Map(rows.map(({ app_id, n }) => [app_id, Number(n)]))
}

export const findAppVariable = (db: Reader, appId: string, name: string): Promise<AppVariable | undefined> =>
  db.selectFrom('app_variables').selectAll().where('app_id', '=', appId).where('name', '=', name).executeTakeFirst()
