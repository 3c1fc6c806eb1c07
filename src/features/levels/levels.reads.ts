import { type Selectable, sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { SubscriptionsTable } from './levels.table.ts'

export type Level = Selectable<SubscriptionsTable>

/** An app's levels, lowest first. */
export const listLevels = (db: Reader, appId: string): Promise<Level[]> =>
  db.selectFrom('subscriptions').selectAll().where('app_id', '=', appId).orderBy('level').execute()

export const listLevelsOfApps = async (db: Reader, appIds: readonly string[]): Promise<Level[]> =>
  appIds.length === 0
    ? []
    : db
        .selectFrom('subscriptions')
        .selectAll()
        .where('app_id', 'in', [...appIds])
        .execute()

export const findLevel = (db: Reader, appId: string, level: number): Promise<Level | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('app_id', '=', appId).where('level', '=', level).executeTakeFirst()

export async function nextLevel(db: Reader, appId: string): Promise<number> {
  const { highest } = await db
    .selectFrom('subscriptions')
    .select(sql<number>`coalesce(max(level), 0)`.as('highest'))
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow()
  return Number(highest) + 1
}

/** Names of an app's levels, keyed by level. */
export async function levelNames(db: Reader, appId: string): Promise<Map<number, string>> {
  return new Map((await listLevels(db, appId)).map(({ level, name }) => [level, name]))
}
