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
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('app_id', '=', appId)
    .where('level', '=', level)
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
