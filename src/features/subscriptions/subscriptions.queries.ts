import type { Insertable, Selectable, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Reader } from '#database/database.ts'
import type { Schema } from '#database/schema.ts'
import type { SubscriptionsTable } from './subscriptions.table.ts'

export type Subscription = Selectable<SubscriptionsTable>

export const listLevels = (db: Reader, appId: string): Promise<Subscription[]> =>
  db.selectFrom('subscriptions').selectAll().where('app_id', '=', appId).orderBy('level').execute()

export const listLevelsWithUsers = (db: Reader, appId: string) =>
  db
    .selectFrom('subscriptions')
    .selectAll('subscriptions')
    .select((select) =>
      select
        .selectFrom('user_subscriptions')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .whereRef('user_subscriptions.app_id', '=', 'subscriptions.app_id')
        .whereRef('user_subscriptions.level', '=', 'subscriptions.level')
        .as('user_count'),
    )
    .where('subscriptions.app_id', '=', appId)
    .orderBy('subscriptions.level')
    .execute()

export const findLevel = (db: Reader, appId: string, level: number): Promise<Subscription | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('app_id', '=', appId).where('level', '=', level).executeTakeFirst()

/** The level as it is and stays until the transaction ends: on PostgreSQL the update locks its row. */
export const lockLevelRow = (
  trx: Transaction<Schema>,
  appId: string,
  level: number,
): Promise<Subscription | undefined> =>
  trx
    .updateTable('subscriptions')
    .set((row) => ({ active: row.ref('active') }))
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .returningAll()
    .executeTakeFirst()

export async function nextLevel(db: Reader, appId: string): Promise<number> {
  const { highest } = await db
    .selectFrom('subscriptions')
    .select(sql<number>`coalesce(max(level), 0)`.as('highest'))
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow()
  return Number(highest) + 1
}

/** False when the app has that level already. */
export async function insertLevel(trx: Transaction<Schema>, row: Insertable<SubscriptionsTable>): Promise<boolean> {
  const result = await trx
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1
}

export const updateLevel = (
  trx: Transaction<Schema>,
  appId: string,
  level: number,
  change: { name?: string; active?: number },
): Promise<Subscription | undefined> =>
  trx
    .updateTable('subscriptions')
    .set(change)
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .returningAll()
    .executeTakeFirst()

/** One statement, so that of two parallel toggles each turns what the other left. */
export const flipLevel = (trx: Transaction<Schema>, appId: string, level: number): Promise<Subscription | undefined> =>
  trx
    .updateTable('subscriptions')
    .set({ active: sql<number>`1 - active` })
    .where('app_id', '=', appId)
    .where('level', '=', level)
    .returningAll()
    .executeTakeFirst()

export async function deleteLevel(trx: Transaction<Schema>, appId: string, level: number): Promise<void> {
  await trx.deleteFrom('subscriptions').where('app_id', '=', appId).where('level', '=', level).execute()
}
