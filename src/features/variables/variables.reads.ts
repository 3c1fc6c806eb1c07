import type { Selectable } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { UserVariablesTable } from './variables.table.ts'

export type UserVariable = Selectable<UserVariablesTable>

/** The variables of these users, by name. */
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

export async function countVariables(db: Reader, appId: string, userId: number): Promise<number> {
  const { n } = await db
    .selectFrom('user_variables')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(n)
}
